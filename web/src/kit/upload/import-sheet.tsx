import type { Call, OutputOf } from '@mooring/contract/kit/call';
import type { importing } from '@mooring/contract/kit/import';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useLooseT, useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { download } from '../downloads.ts';
import { useAct } from '../queries.ts';
import { go } from '../view.ts';
import { FileField } from './file-field.tsx';

type Spec = ReturnType<typeof importing>;
type Importing = Call<NonNullable<Spec['input']>, NonNullable<Spec['output']>>;
type Outcome = OutputOf<Importing>;
const sheets = ['xlsx', 'csv'] as const;

interface Props {
  readonly title: TextKey;
  readonly about: TextKey;
  /** Gets `{count}`: "Import {count} members". */
  readonly take: TextKey;
  readonly call: Importing;
  readonly template: Call;
  readonly fileName: string;
  /** What begins the texts of its columns: `member.`. */
  readonly names: string;
  /** Rows with something wrong in them may be left out. */
  readonly partly?: boolean;
  /** Above all else: why it can't be done now. */
  readonly blocked?: ReactNode;
  readonly onClose: () => void;
}

/** Rows of a spreadsheet: checked first, each wrong cell named, then taken as a whole. */
export function ImportSheet({ title, about, take: label, call, template, fileName, names, partly = false, blocked, onClose }: Props) {
  const t = useT();
  const loose = useLooseT();
  const [file, setFile] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  /** One file may be answered after another was chosen. */
  const chosen = useRef<number>(undefined);
  const [skipWrong, setSkipWrong] = useState(false);
  const act = useAct(call, { hidden: true });
  const [taking, setTaking] = useState(false);
  const check = (id: number | undefined) => {
    chosen.current = id;
    setFile(id);
    setOutcome(undefined);
    setSkipWrong(false);
    act.clear();
    if (id !== undefined)
      void act.ask({ file: id, preview: true }).then(
        (found) => chosen.current === id && setOutcome(found),
        () => undefined,
      );
  };
  const take = () => {
    if (file === undefined) return;
    setTaking(true);
    void act
      .ask(skipWrong ? ({ file, skipWrong } as never) : { file })
      .then(
        (taken) => {
          if (taken.work === null) return setOutcome(taken);
          toast('done', t('kit.import.started'), { label: t('kit.work.open'), onClick: () => go('/task/export') });
          onClose();
        },
        () => undefined,
      )
      .finally(() => setTaking(false));
  };
  const fine = outcome !== undefined && outcome.good > 0 && (outcome.wrong.length === 0 || skipWrong);
  const good = outcome?.good ?? 0;
  return (
    <Dialog
      open
      title={t(title)}
      onClose={onClose}
      busy={taking}
      width={600}
      footer={
        <>
          <Button onClick={onClose} disabled={taking}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" busy={act.busy} disabled={!fine || Boolean(blocked)} onClick={take}>
            {t(label, { count: fine ? good : (outcome?.rows ?? 0) })}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        {blocked}
        <p className="m-muted">{t(about)}</p>
        <span>
          <Button icon="download" onClick={() => download(template, {} as never, fileName)}>
            {t('kit.import.template')}
          </Button>
        </span>
        <Field label={t('kit.import.file')} group>
          <FileField
            fileType="8"
            only={sheets}
            value={file}
            onChange={check}
            onBlur={() => {}}
            values={{}}
            set={() => {}}
            fill={() => {}}
            disabled={act.busy}
          />
        </Field>
        {act.error ? <Note tone="danger">{messageOf(act.error)}</Note> : null}
        {outcome && outcome.wrong.length === 0 ? <Note tone="info">{t('kit.import.fine', { rows: outcome.rows })}</Note> : null}
        {outcome && outcome.wrong.length > 0 ? (
          <div className="m-stack-tight">
            <h3>{t(partly && good > 0 ? 'kit.import.wrongPartly' : 'kit.import.wrong')}</h3>
            <ul className="m-plain-list">
              {outcome.wrong.map((one) => (
                <li key={`${one.row}:${one.column}:${one.fault}`}>
                  <b>{t('kit.import.where', { row: one.row, column: loose(`${names}${one.column}`, one.column) })}</b>{' '}
                  {one.words ? loose(one.words.key, one.words.key, one.words.params) : loose(`fault.${one.fault}`, one.fault)}
                </li>
              ))}
            </ul>
            {partly && good > 0 ? (
              <Checkbox value={skipWrong} onChange={setSkipWrong}>
                {t('kit.import.skip', { good })}
              </Checkbox>
            ) : null}
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
