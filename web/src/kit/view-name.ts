import { createStore } from '../ui/store.ts';

/** What stands in the title, the breadcrumb and the recent pages for an address: "SN 10023" and not "Device". */
export const viewNames = createStore<Readonly<Record<string, string>>>({});
export const nameView = (path: string, name: string): void => viewNames.set((now) => (now[path] === name ? now : { ...now, [path]: name }));
