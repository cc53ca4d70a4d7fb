import type { UploadedFile } from '@mooring/contract/file/calls';
import { kindOf } from '@mooring/contract/file/kinds';
import { useFieldLink, useOwnError } from '../../ui/field.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import { OwnStorage } from './own-storage.tsx';
import { useUploads } from './use-uploads.ts';

interface Props extends ControlPart<number | undefined> {
  fileType: string;
  /** Narrows the kind to what this place can read. */
  only?: readonly string[];
  /** A file that is stored already. */
  given?: UploadedFile | undefined;
}
/** A form control that uploads one file of a kind and holds its id. */
export function FileField({ fileType, only, given, onChange, disabled }: Props) {
  const t = useT();
  const format = useFormat();
  const kind = kindOf(fileType);
  const extensions = only ?? kind?.extensions ?? [];
  const { invalid } = useFieldLink();
  const uploads = useUploads(fileType, (stored) => onChange(stored[0]?.id), { only: extensions, given });
  const isOnItsWay = uploads.rows.some(({ state }) => state === 'wait' || state === 'uploading');
  // It is chosen, and not there yet: nobody has to choose one.
  const isRefused = uploads.rows.some(({ state }) => state === 'fail');
  useOwnError(isRefused ? t('kit.upload.left') : invalid && isOnItsWay ? t('kit.upload.notYet') : undefined);
  return (
    <>
      <UploadBox
        rows={uploads.rows}
        accept={extensions.map((one) => `.${one}`).join(',')}
        hint={t('kit.upload.hint', { kinds: extensions.join(', '), size: format.size(kind?.maxBytes ?? 0) })}
        disabled={disabled}
        // One file has its place here: the next one takes it.
        onFiles={(files) => {
          for (const { id } of uploads.rows) uploads.cancel(id);
          uploads.add(files.slice(-1));
        }}
        onCancel={uploads.cancel}
        onRetry={uploads.retry}
      />
      {uploads.isFull ? <OwnStorage /> : null}
    </>
  );
}
