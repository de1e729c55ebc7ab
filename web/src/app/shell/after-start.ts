// What the layout needs once the page is shown: one file, which the first page does not wait for.
export { followLiveUpdates } from '../../lib/data/live-updates.ts';
export { Welcome } from './welcome.tsx';
