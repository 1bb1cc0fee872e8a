// Writes the licences of everything that the page is built from, because the jar distributes it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const parts = ['The page of the Lastfix console contains the following packages.\n'];
for (const [path, entry] of Object.entries(lock.packages)) {
  // The atlas is no code of the page, but its coast is.
  const isPart = path !== '' && (!entry.dev || path.endsWith('/world-atlas'));
  if (!isPart || !existsSync(`${root}${path}`)) {
    continue;
  }
  const name = path.replace(/^.*node_modules\//, '');
  const texts = readdirSync(`${root}${path}`)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(`${root}${path}/${file}`, 'utf8').trim());
  if (!entry.license && texts.length === 0) {
    throw new Error(`${name} has no licence`);
  }
  parts.push(`\n== ${name} ${entry.version} (${entry.license ?? 'see below'})\n\n${texts.join('\n\n')}\n`);
}
writeFileSync(`${root}../target/public/licences.txt`, parts.join(''));
