import { labelCalls } from '@mooring/contract/language/label-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useT } from '../../ui/words.ts';

export type Row = RowOf<typeof labelCalls.page>;

/** One text of one language, with the English above it. */
export function EditText({ row, langCode, onClose }: { row: Row; langCode: string; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="label.edit.title"
      about={
        <>
          <span className="m-mono m-small m-muted">{row.key}</span>
          <blockquote className="m-words">{row.english}</blockquote>
          {row.args.length > 0 ? (
            <span className="m-small m-muted">{t('label.edit.args', { args: row.args.map((one) => `{${one}}`).join(' ') })}</span>
          ) : null}
        </>
      }
      call={labelCalls.edit}
      successText="label.saved"
      submit="settings.save"
      fields={[{ name: 'text', label: 'label.text', kind: 'area' }]}
      initial={{ langCode, key: row.key, text: row.text ?? '', seen: row.text }}
      onClose={onClose}
    />
  );
}
