import { memberCalls } from '@mooring/contract/account/member-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { download } from '../../kit/downloads.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { useAct } from '../../kit/queries.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

const sheets = ['xlsx'] as const;
type Outcome = OutputOf<typeof memberCalls.import>;

/** A sheet of people: checked first, then taken as a whole. */
export function ImportMembers({ onClose }: { onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const sends = useSends();
  const [file, setFile] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const act = useAct(memberCalls.import, { hidden: true });
  const check = (id: number | undefined) => {
    setFile(id);
    setOutcome(undefined);
    if (id !== undefined) void act.ask({ file: id, preview: true }).then(setOutcome, () => undefined);
  };
  const take = () => {
    if (file === undefined) return;
    void act.ask({ file }).then(
      (taken) => {
        if (taken.work === null) return setOutcome(taken);
        toast('done', t('member.import.started'));
        onClose();
      },
      () => undefined,
    );
  };
  const fine = outcome !== undefined && outcome.wrong.length === 0 && outcome.rows > 0;
  return (
    <Dialog
      open
      title={t('member.import.title')}
      onClose={onClose}
      width={600}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" busy={act.busy} disabled={!fine || !sends} onClick={take}>
            {t('member.import.take', { count: outcome?.rows ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <NoMail instead="member.import.unset" />
        <p className="m-muted">{t('member.import.about')}</p>
        <span>
          <Button icon="download" onClick={() => download(memberCalls.template, {}, 'members.xlsx')}>
            {t('member.import.template')}
          </Button>
        </span>
        <Field label={t('member.import.file')} group>
          <FileField
            fileType="8"
            only={sheets}
            value={file}
            onChange={check}
            onBlur={() => {}}
            values={{}}
            set={() => {}}
            disabled={act.busy}
          />
        </Field>
        {act.error ? <Note tone="danger">{messageOf(act.error)}</Note> : null}
        {outcome && outcome.wrong.length === 0 ? <Note tone="info">{t('member.import.fine', { rows: outcome.rows })}</Note> : null}
        {outcome && outcome.wrong.length > 0 ? (
          <div className="m-stack-tight">
            <h3>{t('member.import.wrong')}</h3>
            <ul className="m-plain-list">
              {outcome.wrong.map((one) => (
                <li key={`${one.row}:${one.column}:${one.fault}`}>
                  <b>{t('member.import.where', { row: one.row, column: loose(`member.${one.column}`, one.column) })}</b>{' '}
                  {loose(`fault.${one.fault}`, one.fault)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
