import type { Call } from '@mooring/contract/kit/call';
import type { SheetChecked, SheetMode } from '@mooring/contract/kit/import';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Checkbox, RadioGroup } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Progress } from '../../ui/figures.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { download } from '../downloads.ts';
import { useAct, useCall } from '../queries.ts';
import { FileField } from '../upload/file-field.tsx';
import { CheckFound } from './check-found.tsx';
import { useRunningImport, WatchedImport } from './watched-import.tsx';

export interface LargeCalls {
  readonly template: Call;
  readonly check: Call<z.ZodType, typeof SheetChecked>;
  readonly report: Call;
  readonly import: Call<z.ZodType, z.ZodObject<{ work: z.ZodInt }>>;
}
interface Props {
  readonly title: TextKey;
  readonly about: TextKey;
  /** Gets `{count}`: "Import {count} terminals". */
  readonly take: TextKey;
  readonly calls: LargeCalls;
  readonly fileName: string;
  /** What a work of it is called: one that runs still is found by it. */
  readonly job: TextKey;
  /** What is asked beside the file. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly fields?: ReactNode;
  /** Of what is there already, and what one of them is called: rows that say the same count for nothing. */
  readonly changes?: TextKey;
  /** The group of the lists that show what comes. */
  readonly touches: string;
  readonly onClose: () => void;
}
type Mode = z.output<typeof SheetMode>;
const sheets = ['xlsx', 'csv'] as const;

/** A file of many rows: checked cell by cell, then taken as a whole or in part, with its progress and its result. */
export function LargeImport(props: Props) {
  const { title, job, onClose } = props;
  const t = useT();
  const [work, setWork] = useState<number>();
  const running = useRunningImport(t(job));
  if (work !== undefined)
    return <WatchedImport title={t(title)} touches={props.touches} work={work} onAnother={() => setWork(undefined)} onClose={onClose} />;
  return <ChooseFile {...props} running={running} onWork={setWork} />;
}

/** What is known of the file, and what is to become of it. */
function useFile({ calls, given = {}, changes }: Pick<Props, 'calls' | 'given' | 'changes'>) {
  const [file, setFile] = useState<number>();
  const [mode, setMode] = useState<Mode>('all');
  const [again, setAgain] = useState(false);
  const input = { file: file ?? 0, ...given };
  const checked = useCall(calls.check, input as never, { enabled: file !== undefined, once: true });
  const act = useAct(calls.import, { hidden: true });
  const put = (id: number | undefined) => {
    setFile(id);
    setMode('all');
    setAgain(false);
    act.clear();
  };
  const data = file === undefined ? undefined : checked.data;
  const isWrong = (data?.wrongCells ?? 0) > 0;
  const count = data === undefined ? 0 : changes === undefined ? data.good : data.changing;
  const isReady = data !== undefined && count > 0 && (!isWrong || mode === 'good') && (data.before === null || again);
  const take = (onWork: (work: number) => void) =>
    void act.ask({ ...input, mode: isWrong ? mode : 'all', again, rows: data?.rows } as never).then(
      ({ work }) => onWork(work),
      () => undefined,
    );
  return { file, put, input, mode, setMode, again, setAgain, checked, data, isWrong, count, isReady, act, take };
}

function ChooseFile({
  title,
  about,
  take: label,
  calls,
  fileName,
  given = {},
  fields,
  changes,
  running,
  onWork,
  onClose,
}: Props & { running: number | undefined; onWork: (work: number) => void }) {
  const t = useT();
  const of = useFile({ calls, given, changes });
  const isChecking = of.file !== undefined && of.checked.loading;
  return (
    <Dialog
      open
      title={t(title)}
      onClose={onClose}
      busy={of.act.busy}
      width={760}
      footer={
        <>
          <Button onClick={onClose} disabled={of.act.busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" busy={of.act.busy} disabled={!of.isReady} onClick={() => of.take(onWork)}>
            {t(label, { count: of.count, n: of.count })}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        {running === undefined ? null : (
          <Note tone="info" action={<Button onClick={() => onWork(running)}>{t('kit.sheet.follow')}</Button>}>
            {t('kit.sheet.open')}
          </Note>
        )}
        <p className="m-muted">{t(about)}</p>
        {fields}
        <span>
          <Button icon="download" onClick={() => download(calls.template, given as never, fileName)}>
            {t('kit.import.template')}
          </Button>
        </span>
        <Field label={t('kit.import.file')} group>
          <FileField
            fileType="8"
            only={sheets}
            value={of.file}
            onChange={of.put}
            onBlur={() => {}}
            values={{}}
            set={() => {}}
            fill={() => {}}
            disabled={of.act.busy}
          />
        </Field>
        {isChecking ? <Progress share={undefined} label={t('kit.sheet.checking')} note={t('kit.sheet.checking')} /> : null}
        {of.file !== undefined && of.checked.error ? <Note tone="danger">{messageOf(of.checked.error)}</Note> : null}
        {of.act.error ? <Note tone="danger">{messageOf(of.act.error)}</Note> : null}
        {of.data ? <Found of={of} data={of.data} calls={calls} fileName={fileName} changes={changes} /> : null}
      </div>
    </Dialog>
  );
}

/** What the check found, and the choices that it leaves. */
interface FoundProps extends Pick<Props, 'calls' | 'fileName'> {
  of: ReturnType<typeof useFile>;
  data: SheetChecked;
  changes: TextKey | undefined;
}
function Found({ of, data, calls, fileName, changes }: FoundProps) {
  const t = useT();
  const format = useFormat();
  const { before } = data;
  return (
    <>
      <CheckFound found={data} changes={changes} onReport={() => download(calls.report, of.input as never, `report-${fileName}`)} />
      {of.isWrong && data.good > 0 ? (
        <Field label={t('kit.sheet.mode')} group>
          <RadioGroup<Mode>
            value={of.mode}
            onChange={(mode) => of.setMode(mode ?? 'all')}
            label={t('kit.sheet.mode')}
            options={[
              { value: 'all', label: t('kit.sheet.all') },
              { value: 'good', label: t('kit.sheet.some') },
            ]}
          />
        </Field>
      ) : null}
      {before ? (
        <Note tone="warn">
          <div className="m-stack-tight">
            {t('kit.sheet.before', { by: before.by, at: format.moment(String(before.at)), rows: before.rows })}
            <Checkbox value={of.again} onChange={of.setAgain}>
              {t('kit.sheet.again')}
            </Checkbox>
          </div>
        </Note>
      ) : null}
    </>
  );
}
