import type { UploadedFile } from '@mooring/contract/file/calls';
import { extensionOf, kindOf } from '@mooring/contract/file/kinds';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../../ui/toast.tsx';
import type { UploadRow } from '../../ui/upload-box.tsx';
import { useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { isCallError } from '../outcome.ts';
import { cancelTransfer, contentOf, prepareUpload, transfer } from './transfer.ts';

interface Item {
  readonly row: UploadRow;
  readonly file: File;
  readonly identifier?: string;
  readonly stored?: UploadedFile;
  /** There was no room for it. */
  readonly isOver?: boolean;
}

/** Hashing is the first part of the way, then the bytes. */
const HASHING = 0.1;
/** Hundreds of parts arrive within seconds, and nobody sees each. */
const TELL_MS = 500;

export interface Uploads {
  readonly rows: readonly UploadRow[];
  readonly stored: readonly UploadedFile[];
  /** One was refused because the quota of the organisation is used up. */
  readonly isFull: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly cancel: (id: string) => void;
  readonly retry: (id: string) => void;
}

const storedOf = (all: readonly Item[]) => all.flatMap((item) => item.stored ?? []);

/** One that is stored already. */
const itemOf = (stored: UploadedFile): Item => ({
  row: { id: String(stored.id), name: stored.fileName, size: stored.size, state: 'success', share: 1 },
  file: new File([], stored.fileName),
  identifier: stored.md5,
  stored,
});

interface Options {
  /** What may be chosen, where it is less than the kind allows. */
  readonly only?: readonly string[];
  /** What it begins with. */
  readonly given?: UploadedFile | undefined;
}
/** Uploads of one kind, with what UploadBox shows of them. The same content twice is refused with a warning. */
export function useUploads(fileType: string, onChange?: (stored: readonly UploadedFile[]) => void, { only, given }: Options = {}): Uploads {
  const t = useT();
  const [items, setItems] = useState<readonly Item[]>(() => (given ? [itemOf(given)] : []));
  const stops = useRef(new Map<string, AbortController>());
  const latest = useRef(items);
  latest.current = items;
  const told = useRef('');
  const report = useRef(onChange);
  report.current = onChange;
  const patch = (id: string, part: Partial<Item>, row: Partial<UploadRow> = {}) =>
    setItems((now) => now.map((item) => (item.row.id === id ? { ...item, ...part, row: { ...item.row, ...row } } : item)));

  const key = storedOf(items)
    .map((file) => file.id)
    .join();
  // Told when the list of stored files changed, not when a row's share did.
  useEffect(() => {
    if (told.current === key) return;
    told.current = key;
    report.current?.(storedOf(latest.current));
  }, [key]);
  useEffect(prepareUpload, []);
  useEffect(
    () => () => {
      for (const stop of stops.current.values()) stop.abort();
    },
    [],
  );

  const run = async (id: string, file: File) => {
    const stop = new AbortController();
    stops.current.set(id, stop);
    patch(id, { isOver: false }, { state: 'uploading', share: 0, message: undefined });
    try {
      const content = await contentOf(file, (share) => patch(id, {}, { share: share * HASHING }));
      const { identifier } = content;
      if (stop.signal.aborted) return;
      if (latest.current.some((item) => item.row.id !== id && item.identifier === identifier)) {
        toast('warning', t('page.temp.fileExists'));
        return setItems((now) => now.filter((item) => item.row.id !== id));
      }
      patch(id, { identifier });
      const began = performance.now();
      let [told, first]: [number, number | undefined] = [0, undefined];
      const stored = await transfer({
        ...content,
        fileType,
        signal: stop.signal,
        tell: (sent) => {
          first ??= sent;
          const now = performance.now();
          // The last one is seen until the whole is checked.
          if (now - told < TELL_MS && sent < file.size) return;
          told = now;
          const seconds = (now - began) / 1000;
          const speed = sent > first ? (sent - first) / seconds : undefined;
          patch(
            id,
            {},
            { share: HASHING + (1 - HASHING) * (sent / file.size), speed, left: speed ? (file.size - sent) / speed : undefined },
          );
        },
      });
      patch(id, { stored }, { state: 'success', share: 1 });
    } catch (error) {
      if (stop.signal.aborted || (isCallError(error) && error.cancelled)) return;
      patch(id, { isOver: isCallError(error) && error.fault === 'STORAGE_QUOTA' }, { state: 'fail', message: messageOf(error) });
    }
  };

  const cancel = (id: string) => {
    const item = latest.current.find((one) => one.row.id === id);
    stops.current.get(id)?.abort();
    const drop = () => setItems((now) => now.filter((one) => one.row.id !== id));
    if (!item?.identifier || item.stored) return drop();
    // The row says so until its parts are gone: the same file chosen meanwhile would lose its own.
    patch(id, {}, { state: 'delete', speed: undefined, left: undefined, message: undefined });
    void cancelTransfer(item.identifier, fileType).then(drop);
  };

  return {
    rows: items.map((item) => item.row),
    stored: storedOf(items),
    isFull: items.some((item) => item.isOver),
    add: (files) => {
      for (const file of files) {
        const kind = kindOf(fileType);
        const id = crypto.randomUUID();
        const extensions = only ?? kind?.extensions ?? [];
        const problem =
          !kind || !extensions.includes(extensionOf(file.name))
            ? t('kit.upload.wrongKind', { kinds: extensions.join(', ') })
            : file.size === 0
              ? t('kit.upload.empty')
              : file.size > kind.maxBytes
                ? t('kit.upload.tooLarge', { mb: Math.floor(kind.maxBytes / 1024 / 1024) })
                : undefined;
        const row: UploadRow = {
          id,
          name: file.name,
          size: file.size,
          state: problem ? 'fail' : 'wait',
          share: 0,
          message: problem,
          isUnfit: problem !== undefined,
        };
        setItems((now) => [...now, { row, file }]);
        if (!problem) void run(id, file);
      }
    },
    cancel,
    retry: (id) => {
      const item = latest.current.find((one) => one.row.id === id);
      if (item) void run(id, item.file);
    },
  };
}
