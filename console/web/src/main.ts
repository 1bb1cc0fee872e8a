import './style.css';
import { Server } from './api';
import { LiveMap } from './map';
import { Queries } from './queries';
import { Store } from './store';
import { areaView } from './views/area';
import { countsView } from './views/counts';
import { deviceView } from './views/device';
import { healthView } from './views/health';
import { legendView } from './views/legend';
import { listView } from './views/list';
import { mapView } from './views/map';
import { numbersView } from './views/numbers';
import { densityView, flowsView } from './views/places';
import { searchView } from './views/search';
import { staysView } from './views/stays';
import { statusView } from './views/status';
import { tabsView } from './views/tabs';
import { tokenView } from './views/token';
import { trackView } from './views/track';

const store = new Store();
const server = new Server(store);
const map = new LiveMap();
const queries = new Queries(store, server, map);

statusView(store);
tokenView(store);
legendView(store);
searchView(queries);
mapView(store, map, queries);
tabsView(store, {
  view: listView(store, queries),
  device: deviceView(store, trackView(store, server, map), staysView(store, server, map)),
  area: areaView(store, server, map, queries),
  numbers: numbersView(store, {
    counts: countsView(store, server),
    density: densityView(store, server, map),
    flows: flowsView(store, server, map),
  }),
  health: healthView(store, server),
});
queries.start();
