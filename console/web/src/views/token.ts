import { byId } from '../dom';
import type { Store } from '../store';

const ASK_MILLIS = 5_000;

/** Asks the reader for the token while the server wants one. */
export function tokenView(store: Store): void {
  const dialog = byId<HTMLDialogElement>('token-dialog');
  const input = byId<HTMLInputElement>('token');
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  store.watch(['tokenRequest'], ({ tokenRequest }) => {
    if (tokenRequest === null) {
      return;
    }
    byId('token-problem').textContent = tokenRequest.wasWrong ? 'The server refused this token.' : '';
    input.value = '';
    let isNeeded = true;
    const again = setInterval(() => {
      void fetch('v1/openapi.json').then(
        ({ ok }) => {
          if (ok) {
            isNeeded = false;
            dialog.close();
          }
        },
        () => undefined,
      );
    }, ASK_MILLIS);
    dialog.addEventListener(
      'close',
      () => {
        clearInterval(again);
        tokenRequest.answer(isNeeded ? input.value.trim() : null);
      },
      { once: true },
    );
    dialog.showModal();
  });
}
