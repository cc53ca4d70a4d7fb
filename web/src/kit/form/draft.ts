import { tokenOf } from '../session.ts';
import { parsed, tab } from '../storage.ts';
import type { Values } from './types.ts';

/** What was typed into a form of several steps, kept in this tab over a reload or an ended session; leaving the form on purpose drops it. */
const place = (path: string) => `draft.${path}`;

export const readDraft = (path: string): Values | undefined => parsed<Values | undefined>(tab.get(place(path)), undefined);
export const keepDraft = (path: string, values: Values): void => tab.set(place(path), JSON.stringify(values));
export const dropDraft = (path: string): void => tab.set(place(path), undefined);
/** The form goes away: by a person's own way, unless it is their session that ended. */
export function leaveDraft(path: string): void {
  if (tokenOf()) dropDraft(path);
}
