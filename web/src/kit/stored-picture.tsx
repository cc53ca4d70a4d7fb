import { fileCalls } from '@mooring/contract/file/calls';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { api, send } from './client.ts';

// A file never changes, so that one address is enough for as long as the console is open.
const known = new Map<number, Promise<string>>();
const types: Readonly<Record<number, string>> = { 137: 'image/png', 255: 'image/jpeg', 82: 'image/webp' };

type Ask = () => Promise<{ readonly token: string }>;

async function fetchPicture(ask: Ask): Promise<string> {
  const { token } = await ask();
  const bytes = await (await send(fileCalls.get, { token })).arrayBuffer();
  const type = types[new Uint8Array(bytes)[0] ?? 0];
  if (!type) throw new Error('not a picture');
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/**
 * Where an uploaded picture is to be had; undefined until it is here, or where it isn't for this person. `asked` is who gives it out, where that isn't
 * the row of a permission.
 */
export function usePicture(id: number | null | undefined, asked?: (id: number) => ReturnType<Ask>): string | undefined {
  const [source, setSource] = useState<string>();
  const ask = useRef(asked);
  ask.current = asked;
  useEffect(() => {
    setSource(undefined);
    if (id === null || id === undefined) return undefined;
    let isWanted = true;
    const give = ask.current ?? ((of: number) => api(fileCalls.getSecurityToken, { id: of }, { hidden: true }));
    const loading = known.get(id) ?? fetchPicture(() => give(id));
    known.set(id, loading);
    loading.then(
      (url) => isWanted && setSource(url),
      () => known.delete(id),
    );
    return () => {
      isWanted = false;
    };
  }, [id]);
  return source;
}

export function StoredPicture({ id, className = 'm-picture' }: { id: number; className?: string }) {
  const source = usePicture(id);
  return source ? <img className={className} src={source} alt="" /> : <Icon name="advert" className={className} />;
}
