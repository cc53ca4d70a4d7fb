import { MOST_SCREENSHOTS } from '@mooring/contract/app/schemas';
import { kindOf, PICTURE } from '@mooring/contract/file/kinds';
import { useRef } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { useUploads } from '../../kit/upload/use-uploads.ts';
import { IconButton } from '../../ui/button.tsx';
import { Unlinked, useOwnError } from '../../ui/field.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import './app.css';

/** Pictures in their order, each uploaded as it is chosen. */
export function ScreenshotsControl({ value = [], onChange, disabled }: ControlPart<readonly number[] | undefined>) {
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
    if (fresh.length > 0) put([...latest.current, ...fresh].slice(0, MOST_SCREENSHOTS));
  });
  useOwnError(uploads.rows.some(({ state }) => state === 'fail') ? t('kit.upload.left') : undefined);
  const kind = kindOf(PICTURE);
  const extensions = kind?.extensions ?? [];
  const swap = (at: number, by: number) => {
    const next = [...value];
    const [one, other] = [next[at], next[at + by]];
    if (one === undefined || other === undefined) return;
    next[at] = other;
    next[at + by] = one;
    put(next);
  };
  return (
    <Unlinked>
      <div className="m-stack">
        <ul className="m-shots">
          {value.map((id, at) => (
            <li key={id} className="m-stack-tight">
              <StoredPicture id={id} className="m-shot" />
              <span className="m-row">
                <IconButton
                  small
                  icon="back"
                  label={t('appVersion.screenshots.earlier', { n: at + 1 })}
                  disabled={disabled || at === 0}
                  onClick={() => swap(at, -1)}
                />
                <IconButton
                  small
                  icon="forward"
                  label={t('appVersion.screenshots.later', { n: at + 1 })}
                  disabled={disabled || at === value.length - 1}
                  onClick={() => swap(at, 1)}
                />
                <IconButton
                  small
                  icon="delete"
                  label={t('appVersion.screenshots.remove', { n: at + 1 })}
                  disabled={disabled}
                  onClick={() => put(value.filter((one) => one !== id))}
                />
              </span>
            </li>
          ))}
        </ul>
        <UploadBox
          multiple
          rows={uploads.rows.filter((row) => row.state !== 'success')}
          accept={extensions.map((one) => `.${one}`).join(',')}
          hint={t('kit.upload.hint', { kinds: extensions.join(', '), size: format.size(kind?.maxBytes ?? 0) })}
          disabled={disabled || value.length >= MOST_SCREENSHOTS}
          room={MOST_SCREENSHOTS - value.length}
          onFiles={uploads.add}
          onCancel={uploads.cancel}
          onRetry={uploads.retry}
        />
      </div>
    </Unlinked>
  );
}
