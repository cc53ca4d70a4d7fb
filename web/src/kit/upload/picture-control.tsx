import { PICTURE } from '@mooring/contract/file/kinds';
import { Button } from '../../ui/button.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import { StoredPicture } from '../stored-picture.tsx';
import { FileField } from './file-field.tsx';

type Part = ControlPart<number | null | undefined>;

/** A picture, or none; `none` is what the button says that leads to none. */
export const pictureControl = (none: TextKey) => (part: Part) => <PictureControl none={none} {...part} />;

export function PictureControl({ none, ...part }: Part & { none: TextKey }) {
  const t = useT();
  const { value, onChange, disabled } = part;
  if (value === null || value === undefined)
    return <FileField fileType={PICTURE} {...part} value={undefined} onChange={(id) => onChange(id ?? null)} />;
  return (
    <span className="m-row m-row-wrap">
      <StoredPicture id={value} />
      <Button small look="quiet" disabled={disabled} onClick={() => onChange(null)}>
        {t(none)}
      </Button>
    </span>
  );
}
