import { approvalCalls } from '@mooring/contract/approval/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { allowedActionsOf } from '../../kit/allows.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { type TextKey, useT, type Words } from '../../ui/words.ts';
import { DecideDialog, type Question, type Said } from './decide-dialog.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { stepText } from './parts.ts';

type Row = OutputOf<typeof approvalCalls.baseInfo>;
type Deciding = 'confirm' | 'auditResult' | 'resultConfirm';
type Applying = 'returnToUpdate' | 'applyTrial' | 'applyFull' | 'cancelTrial' | 'cancelFull' | 'end';
const deciding: readonly Deciding[] = ['confirm', 'auditResult', 'resultConfirm'];

const passing: Readonly<Record<Deciding, { readonly label: TextKey; readonly question: Question }>> = {
  confirm: {
    label: 'approval.passConfirm',
    question: { title: 'approval.ask.confirm', confirm: 'approval.passConfirm', about: 'approval.about.pass' },
  },
  auditResult: { label: 'approval.pass', question: { title: 'approval.ask.pass', confirm: 'approval.pass', about: 'approval.about.pass' } },
  resultConfirm: {
    label: 'approval.passResult',
    question: { title: 'approval.ask.result', confirm: 'approval.passResult', about: 'approval.about.pass' },
  },
};
const refusing: Question = {
  title: 'approval.ask.refuse',
  confirm: 'approval.refuse',
  about: 'approval.about.back',
  danger: true,
  wantsWhy: true,
};
const back = (title: TextKey, confirm: TextKey, wantsWhy = false): Question => ({
  title,
  confirm,
  about: 'approval.about.back',
  danger: true,
  wantsWhy,
});
const applying: Readonly<Record<Applying, { readonly label: TextKey; readonly primary?: true; readonly question: Question }>> = {
  returnToUpdate: { label: 'approval.return', question: back('approval.ask.return', 'approval.return', true) },
  cancelTrial: { label: 'approval.cancelTrial', question: back('approval.ask.cancelTrial', 'approval.cancelTrial') },
  cancelFull: { label: 'approval.cancelFull', question: back('approval.ask.cancelFull', 'approval.cancelFull') },
  end: {
    label: 'approval.end',
    question: { title: 'approval.ask.end', confirm: 'approval.end', about: 'approval.about.end', danger: true },
  },
  applyTrial: {
    label: 'approval.applyTrial',
    primary: true,
    question: { title: 'approval.ask.applyTrial', confirm: 'approval.applyTrial', about: 'approval.about.pass' },
  },
  applyFull: {
    label: 'approval.applyFull',
    primary: true,
    question: { title: 'approval.ask.applyFull', confirm: 'approval.applyFull', about: 'approval.about.pass' },
  },
};
const isApplying = (act: string): act is Applying => Object.hasOwn(applying, act);

interface Asking {
  readonly question: Question;
  readonly run: (said: Said) => void;
}

/** What the person may do now; a decision names the step and the content that they see. */
export function Decide({ row }: { row: Row }) {
  const t = useT();
  const [asking, setAsking] = useState<Asking>();
  const [extending, setExtending] = useState(false);
  const { data } = useCall(approvalCalls.detailInfo, { taskAuditId: row.id });
  const said = {
    done: () => setAsking(undefined),
    successText: (after: Row): Words => ({ key: 'approval.done', params: { name: after.name, step: t(stepText(after.step)) } }),
  };
  const decides = {
    confirm: useAct(approvalCalls.confirm, said),
    auditResult: useAct(approvalCalls.auditResult, said),
    resultConfirm: useAct(approvalCalls.resultConfirm, said),
  };
  const applies = {
    returnToUpdate: useAct(approvalCalls.returnToUpdate, said),
    applyTrial: useAct(approvalCalls.applyTrial, said),
    applyFull: useAct(approvalCalls.applyFull, said),
    cancelTrial: useAct(approvalCalls.cancelTrial, said),
    cancelFull: useAct(approvalCalls.cancelFull, said),
    end: useAct(approvalCalls.end, said),
  };
  const acts = allowedActionsOf(row);
  const decision = deciding.find((one) => acts.includes(one));
  const decide = (act: Deciding, choice: '0' | '1') => (said: Said) =>
    decides[act].run({ taskAuditId: row.id, auditStep: row.step, contentHash: data?.contentHash, decision: choice, ...said });
  const busy = [...Object.values(decides), ...Object.values(applies)].some((act) => act.busy);
  return (
    <>
      {acts.includes('extend') ? <Button onClick={() => setExtending(true)}>{t('approval.extend')}</Button> : null}
      {acts.filter(isApplying).map((act) => (
        <Button
          key={act}
          look={applying[act].primary ? 'primary' : 'default'}
          onClick={() =>
            setAsking({ question: applying[act].question, run: (given) => applies[act].run({ taskAuditId: row.id, ...given }) })
          }
        >
          {t(applying[act].label)}
        </Button>
      ))}
      {decision ? (
        <>
          <Button onClick={() => setAsking({ question: refusing, run: decide(decision, '1') })}>{t('approval.refuse')}</Button>
          <Button
            look="primary"
            disabled={data === undefined || data.changed}
            onClick={() => setAsking({ question: passing[decision].question, run: decide(decision, '0') })}
          >
            {t(passing[decision].label)}
          </Button>
        </>
      ) : null}
      {extending ? <ExtendDialog row={row} onClose={() => setExtending(false)} /> : null}
      {asking ? (
        <DecideDialog
          of={asking.question}
          name={row.name}
          busy={busy}
          takesFiles
          onClose={() => setAsking(undefined)}
          onSubmit={asking.run}
        />
      ) : null}
    </>
  );
}
