import { PICTURE } from '@mooring/contract/desktop/limits';
import type { ControlPart } from '../../kit/form/types.ts';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { FileField } from '../../kit/upload/file-field.tsx';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';

/** A picture, or none: then the terminal's own stays. */
export function PictureControl(part: ControlPart<number | null | undefined>) {
  const t = useT();
  const { value, onChange, disabled } = part;
  if (value === null || value === undefined)
    return <FileField fileType={PICTURE} {...part} value={undefined} onChange={(id) => onChange(id ?? null)} />;
  return (
    <span className="m-row m-row-wrap">
      <StoredPicture id={value} />
      <Button small look="quiet" disabled={disabled} onClick={() => onChange(null)}>
        {t('customization.picture.remove')}
      </Button>
    </span>
  );
}
