import { fileCalls } from '@mooring/contract/file/calls';
import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { api, send } from './client.ts';

// A file never changes, so that one address is enough for as long as the console is open.
const known = new Map<number, Promise<string>>();
const types: Readonly<Record<number, string>> = { 137: 'image/png', 255: 'image/jpeg', 82: 'image/webp' };

async function fetchPicture(id: number): Promise<string> {
  const { token } = await api(fileCalls.getSecurityToken, { id }, { hidden: true });
  const bytes = await (await send(fileCalls.get, { token })).arrayBuffer();
  const type = types[new Uint8Array(bytes)[0] ?? 0];
  if (!type) throw new Error('not a picture');
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** Where an uploaded picture is to be had; undefined until it is here, or where it isn't for this person. */
export function usePicture(id: number | null | undefined): string | undefined {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    setSource(undefined);
    if (id === null || id === undefined) return undefined;
    let isWanted = true;
    const loading = known.get(id) ?? fetchPicture(id);
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
