import type { OutputOf } from '@mooring/contract/kit/call';
import { paramBatchCalls, paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { messageOf } from '../../kit/client.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { go } from '../../kit/view.ts';
import { Checkbox } from '../../ui/controls.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useT } from '../../ui/words.ts';
import { releasePath } from './set-actions.ts';

/** What can't be anybody's, by name; a thousand of them would fill no screen. */
const SHOWN = 20;
type Check = OutputOf<typeof paramBatchCalls.check>;

function Checked({ check }: { check: Check }) {
  const t = useT();
  const shown = check.problems.slice(0, SHOWN);
  return (
    <div className="m-stack-tight">
      {check.matched > 0 ? <Note tone="info">{t('paramSet.checked', { matched: check.matched })}</Note> : null}
      {check.wrong > 0 ? (
        <>
          <Note tone="warn">
            {t('paramSet.wrong', { count: check.wrong })}
            {check.wrong > shown.length ? ` ${t('paramSet.wrong.more', { shown: shown.length })}` : ''}
          </Note>
          <ul className="m-plain-list">
            {shown.map(({ name, problem }) => (
              <li key={name}>
                <b className="m-mono">{name}</b> {t(`paramSet.problem.${problem}`)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** The upload, and whose files it holds, before anything is kept. */
function CheckedFile(part: ControlPart<number | undefined>) {
  const t = useT();
  const found = useCall(paramBatchCalls.check, { fileId: part.value ?? 0 }, { enabled: part.value !== undefined });
  return (
    <div className="m-stack-tight">
      <FileField fileType="9" {...part} />
      {part.value !== undefined && found.error ? <Note tone="danger">{messageOf(found.error)}</Note> : null}
      {part.value !== undefined && found.data ? <Checked check={found.data} /> : null}
      {part.value !== undefined && found.data && found.data.wrong > 0 && found.data.matched > 0 ? (
        <Checkbox value={part.values.partly === true} onChange={(partly) => part.set('partly', partly)}>
          {t('paramSet.partly')}
        </Checkbox>
      ) : null}
    </div>
  );
}

/** Files are there to be released. */
function leadOn(made: OutputOf<typeof paramBatchCalls.add>): void {
  const next = mayCall(paramTaskCalls.add) ? { label: t('paramSet.release'), onClick: () => go(releasePath(made)) } : undefined;
  toast('done', t('paramSet.taken', { name: made.name, count: made.files }), next);
}

/** A file for each terminal out of one archive: checked first, then taken as a whole. */
export function UploadSet({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="paramSet.add"
      submit="paramSet.add"
      call={paramBatchCalls.add}
      about={<p className="m-muted">{t('paramSet.about')}</p>}
      onClose={onClose}
      onDone={leadOn}
      fields={[
        { name: 'fileId', label: 'paramSet.file', Control: CheckedFile, wide: true },
        { name: 'name', label: 'paramSet.name', wide: true },
        { name: 'remark', label: 'paramSet.remark', kind: 'area' },
      ]}
    />
  );
}
