import { fileCalls } from '@mooring/contract/file/calls';
import { api } from './client.ts';
import { download } from './downloads.ts';

/** A stored file, by an address that is good for ten minutes. What keeps it from being read is said by the call. */
export const fetchFile = (id: number, name: string): void =>
  void api(fileCalls.getSecurityToken, { id }).then(
    ({ token }) => download(fileCalls.get, { token }, name),
    () => undefined,
  );
