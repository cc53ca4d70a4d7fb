import type { UploadedFile } from '@mooring/contract/file/calls';
import type { Call, InputOf } from '@mooring/contract/kit/call';
import { useEffect, useState } from 'react';
import { createStore } from '../../ui/store.ts';
import { api } from '../client.ts';
import { go } from '../view.ts';

/** A stored file that the next dialog begins with. */
const handed = createStore<UploadedFile | undefined>(undefined);

/** Takes a file along to the page where something else is done with it. What keeps it from being taken is said by the call. */
export const takeAlong = <C extends Call>(call: C, input: InputOf<C>, to: string): void =>
  void api(call, input).then(
    (file) => {
      handed.set(() => file as UploadedFile);
      go(to);
    },
    () => undefined,
  );

/** The file that a dialog of these kinds of files is opened with; nobody else finds it. */
export function useHanded(kinds: readonly string[]): UploadedFile | undefined {
  const [file] = useState(() => handed.get());
  useEffect(() => handed.set(() => undefined), []);
  return file && kinds.includes(file.fileType) ? file : undefined;
}
