import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { helpArticleCalls, MOST_HELP_FILES } from '@mooring/contract/help/article';
import type { ControlPart } from '../../kit/form/types.ts';
import { MarkdownControl } from '../../kit/markdown/markdown-control.tsx';
import { useCall } from '../../kit/queries.ts';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { AttachmentsControl } from '../../kit/upload/attachments-control.tsx';
import { AddPicture } from './add-picture.tsx';
import { useWords } from './words.ts';

/** With how it will look beside it, and pictures where the cursor stands. */
export function BodyControl(part: ControlPart<string | undefined>) {
  const words = useWords();
  return (
    <MarkdownControl
      {...part}
      beside
      words={words}
      picture={(id) => <StoredPicture id={id} />}
      acts={(insert) => <AddPicture disabled={part.disabled} onPicture={insert} />}
    />
  );
}

/** With the names of what hangs on it already. */
export function FilesControl({ value = [], onChange, disabled, values }: ControlPart<readonly number[] | undefined>) {
  const id = Number(values.id);
  const { data } = useCall(helpArticleCalls.detail, { id }, { enabled: Number.isInteger(id) && id > 0 });
  return (
    <AttachmentsControl
      fileType={ATTACHMENT}
      most={MOST_HELP_FILES}
      value={value}
      onChange={onChange}
      disabled={disabled}
      known={data?.attachments ?? []}
    />
  );
}
