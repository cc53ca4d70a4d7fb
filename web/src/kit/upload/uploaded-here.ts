import { parsed, tab } from '../storage.ts';

export interface AttachedFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

/** Drafts hold more than one form's files; older ones than these are told by their number again. */
const MOST = 100;
const PLACE = 'uploaded';

/** What was uploaded in this tab, by name: a draft that comes back after a reload knows its files by their ids alone. */
export const uploadedHere = (): readonly AttachedFile[] => parsed<readonly AttachedFile[]>(tab.get(PLACE), []);

export function keepUploaded(files: readonly AttachedFile[]): void {
  const before = uploadedHere().filter(({ id }) => !files.some((one) => one.id === id));
  tab.set(PLACE, JSON.stringify([...before, ...files].slice(-MOST)));
}
