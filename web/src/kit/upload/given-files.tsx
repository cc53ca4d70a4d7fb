import { MOST_APPROVAL_FILES } from '@mooring/contract/engines/approval/schemas';
import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import { AttachmentsControl } from './attachments-control.tsx';

type Given = Pick<ControlPart<readonly number[] | undefined>, 'value' | 'onChange' | 'disabled'>;

/** What is given with an act of an approval: most acts need nothing, so it is asked for. */
export function GivenFiles({ value = [], onChange, disabled }: Given) {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (!open && value.length === 0)
    return (
      <Unlinked>
        <div>
          <Button icon="file" disabled={disabled} onClick={() => setOpen(true)}>
            {t('approval.files.add')}
          </Button>
        </div>
      </Unlinked>
    );
  return (
    <AttachmentsControl fileType={ATTACHMENT} most={MOST_APPROVAL_FILES} value={value} onChange={onChange} disabled={disabled} known={[]} />
  );
}

/** The field of a form: an act whose call takes files. */
export const givenFiles = { name: 'files', label: 'approval.files', help: 'approval.files.help', Control: GivenFiles, wide: true } as const;
