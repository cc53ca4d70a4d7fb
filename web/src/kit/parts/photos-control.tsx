import { PICTURE } from '@mooring/contract/desktop/limits';
import { kindOf } from '@mooring/contract/file/kinds';
import { MOST_PHOTOS } from '@mooring/contract/shared/money';
import { useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Unlinked, useOwnError } from '../../ui/field.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import { StoredPicture } from '../stored-picture.tsx';
import { useUploads } from '../upload/use-uploads.ts';
import './parts.css';

/** Pictures of the work, each uploaded as it is chosen. */
export function PhotosControl({ value = [], onChange, disabled }: ControlPart<readonly number[] | undefined>) {
  const t = useT();
  const format = useFormat();
  const latest = useRef(value);
  latest.current = value;
  const told = useRef(new Set<number>());
  const put = (ids: readonly number[]) => {
    latest.current = ids;
    onChange(ids);
  };
  const uploads = useUploads(PICTURE, (stored) => {
    const fresh = stored.map(({ id }) => id).filter((id) => !told.current.has(id));
    for (const id of fresh) told.current.add(id);
    if (fresh.length > 0) put([...latest.current, ...fresh].slice(0, MOST_PHOTOS));
  });
  useOwnError(uploads.rows.some(({ state }) => state === 'fail') ? t('kit.upload.left') : undefined);
  const kind = kindOf(PICTURE);
  const extensions = kind?.extensions ?? [];
  return (
    <Unlinked>
      <div className="m-stack">
        <ul className="m-photos">
          {value.map((id, at) => (
            <li key={id}>
              <StoredPicture id={id} className="m-photo" />
              <IconButton
                icon="delete"
                label={t('maintenance.photos.remove', { at: at + 1 })}
                disabled={disabled}
                onClick={() => put(value.filter((one) => one !== id))}
              />
            </li>
          ))}
        </ul>
        <UploadBox
          multiple
          rows={uploads.rows.filter((row) => row.state !== 'success')}
          accept={extensions.map((one) => `.${one}`).join(',')}
          hint={t('kit.upload.hint', { kinds: extensions.join(', '), size: format.size(kind?.maxBytes ?? 0) })}
          disabled={disabled || value.length >= MOST_PHOTOS}
          room={MOST_PHOTOS - value.length}
          onFiles={uploads.add}
          onCancel={uploads.cancel}
          onRetry={uploads.retry}
        />
      </div>
    </Unlinked>
  );
}
