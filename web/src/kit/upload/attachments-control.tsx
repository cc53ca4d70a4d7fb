import { kindOf } from '@mooring/contract/file/kinds';
import { useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Unlinked, useOwnError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { OwnStorage } from './own-storage.tsx';
import { type AttachedFile, keepUploaded, uploadedHere } from './uploaded-here.ts';
import { useUploads } from './use-uploads.ts';

interface Attachments {
  readonly fileType: string;
  readonly most: number;
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly disabled: boolean;
  /** What hung there before, by name. */
  readonly known: readonly AttachedFile[];
}

/** Files beside a text, each uploaded as it is chosen. */
export function AttachmentsControl({ fileType, most, value, onChange, disabled, known }: Attachments) {
  const t = useT();
  const format = useFormat();
  const latest = useRef(value);
  latest.current = value;
  const [brought, setBrought] = useState(uploadedHere);
  const told = useRef(new Set<number>());
  const put = (ids: readonly number[]) => {
    latest.current = ids;
    onChange(ids);
  };
  const uploads = useUploads(fileType, (stored) => {
    const fresh = stored.filter(({ id }) => !told.current.has(id));
    for (const { id } of fresh) told.current.add(id);
    if (fresh.length === 0) return;
    const named = fresh.map(({ id, fileName, size }) => ({ id, name: fileName, size }));
    keepUploaded(named);
    setBrought((now) => [...now, ...named]);
    put([...new Set([...latest.current, ...fresh.map(({ id }) => id)])].slice(0, most));
  });
  const isOnItsWay = uploads.rows.some(({ state }) => state === 'wait' || state === 'uploading');
  const isRefused = uploads.rows.some(({ state }) => state === 'fail');
  // Who sends the form means it to be there.
  useOwnError(isRefused ? t('kit.upload.left') : isOnItsWay ? t('kit.upload.notYet') : undefined);
  const kind = kindOf(fileType);
  const extensions = kind?.extensions ?? [];
  const all = [...known, ...brought];
  return (
    <Unlinked>
      <div className="m-stack-tight">
        <ul className="m-plain-list">
          {value.map((id) => {
            const file = all.find((one) => one.id === id);
            return (
              <li key={id} className="m-row">
                <Icon name="file" />
                <span className="m-clip">{file?.name ?? `#${id}`}</span>
                {file ? <span className="m-muted m-small">{format.size(file.size)}</span> : null}
                <IconButton
                  small
                  icon="delete"
                  label={t('kit.attachments.remove', { name: file?.name ?? String(id) })}
                  disabled={disabled}
                  onClick={() => put(value.filter((one) => one !== id))}
                />
              </li>
            );
          })}
        </ul>
        <UploadBox
          multiple
          rows={uploads.rows.filter((row) => row.state !== 'success')}
          accept={extensions.map((one) => `.${one}`).join(',')}
          hint={t('kit.upload.hint', { kinds: extensions.join(', '), size: format.size(kind?.maxBytes ?? 0) })}
          disabled={disabled || value.length >= most}
          room={most - value.length}
          onFiles={uploads.add}
          onCancel={uploads.cancel}
          onRetry={uploads.retry}
        />
        {uploads.isFull ? <OwnStorage /> : null}
      </div>
    </Unlinked>
  );
}
