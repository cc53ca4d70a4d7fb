import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { useEffect, useState } from 'react';
import { Brand, useBrand } from '../../kit/brand.tsx';
import { api, messageOf } from '../../kit/client.ts';
import { download } from '../../kit/downloads.ts';
import { Link } from '../../kit/link.tsx';
import { LanguageMenu, ThemeMenu } from '../../kit/look-menus.tsx';
import { page } from '../../kit/page.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { idIn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { AuditContent } from './audit-content.tsx';
import { AuditDevices } from './audit-devices.tsx';
import { AuditHistory } from './audit-history.tsx';
import { DecideDialog, type Question } from './decide-dialog.tsx';
import { type Kept, stepText } from './parts.ts';
import { ProcessLine } from './process-line.tsx';

const pass: Question = { title: 'approval.ask.pass', confirm: 'approval.pass', about: 'approval.about.pass' };
const confirmResult: Question = { title: 'approval.ask.result', confirm: 'approval.passResult', about: 'approval.about.pass' };
const refuse: Question = {
  title: 'approval.ask.refuse',
  confirm: 'approval.refuse',
  about: 'approval.about.back',
  danger: true,
  wantsWhy: true,
};

/** What the mail asks, and the two answers. The link decides once. */
function Asked() {
  const t = useT();
  const format = useFormat();
  const view = useView();
  const signed = { taskAuditId: idIn(view, 'taskAuditId'), auditUserId: idIn(view, 'auditUserId'), sign: view.search.get('sign') ?? '' };
  const [asking, setAsking] = useState<'0' | '1'>();
  const [done, setDone] = useState<string>();
  const base = useCall(approvalEmailCalls.baseInfo, signed, { enabled: done === undefined });
  const opened = { enabled: base.data !== undefined && done === undefined };
  const detail = useCall(approvalEmailCalls.detailInfo, signed, opened);
  const devices = useCall(approvalEmailCalls.deviceList, signed, opened);
  const records = useCall(approvalEmailCalls.result, signed, opened);
  const act = useAct(approvalEmailCalls.auditResult, {
    done: ({ step }) => {
      setDone(step);
      setAsking(undefined);
    },
  });
  if (done !== undefined)
    return <Empty level={1} icon="done" title={t('approval.mail.done')} text={`${t(stepText(done))}. ${t('approval.mail.doneText')}`} />;
  if (base.error)
    return (
      <Empty level={1} icon="warning" title={t('approval.mail.overTitle')} text={messageOf(base.error)}>
        <Link to="/login">{t('auth.toLogin')}</Link>
      </Empty>
    );
  if (!base.data || !detail.data || !records.data) return <PageSkeleton />;
  const { name, approver, standsInFor, expiresAt, step, asksCustomer } = base.data;
  /** By the link, for whoever isn't signed in. */
  const openFile = (file: Kept) =>
    void api(approvalEmailCalls.file, { ...signed, fileId: file.id }).then(
      ({ token }) => download(fileCalls.get, { token }, file.name),
      // The client has shown why.
      () => undefined,
    );
  const passing = asksCustomer ? confirmResult : pass;
  return (
    <div className="m-stack">
      <h1>{name}</h1>
      <p className="m-muted">
        {t(stepText(step))} · {t('approval.mail.for', { name: approver, until: format.moment(expiresAt) })}
      </p>
      {standsInFor.length > 0 ? <Note>{t('approval.standsInFor', { absent: standsInFor.join(', ') })}</Note> : null}
      <AuditContent detail={detail.data} />
      {devices.data ? <AuditDevices devices={devices.data} /> : null}
      <ProcessLine audit={base.data} records={records.data} />
      <section className="m-panel">
        <div className="m-panel-head">
          <h2>{t('approval.history')}</h2>
        </div>
        <div className="m-panel-body">
          <AuditHistory records={records.data} open={openFile} />
        </div>
      </section>
      <div className="m-row m-row-wrap m-approval-decide">
        <Button onClick={() => setAsking('1')}>{t('approval.refuse')}</Button>
        <Button look="primary" disabled={detail.data.changed} onClick={() => setAsking('0')}>
          {t(passing.confirm)}
        </Button>
      </div>
      {asking ? (
        <DecideDialog
          of={asking === '0' ? passing : refuse}
          name={name}
          busy={act.busy}
          onClose={() => setAsking(undefined)}
          onSubmit={({ comment }) => act.run({ ...signed, decision: asking, contentHash: detail.data?.contentHash ?? '', comment })}
        />
      ) : null}
    </div>
  );
}

function FromMail() {
  const t = useT();
  const brand = useBrand();
  useEffect(() => {
    document.title = `${t('approval.mail.title')} · ${brand.name}`;
  }, [t, brand.name]);
  return (
    <main className="m-approval-mail">
      <div className="m-row">
        <Brand />
        <span className="m-grow" />
        <LanguageMenu />
        <ThemeMenu />
      </div>
      <Asked />
    </main>
  );
}

export const approveEmailPage = page({ Body: FromMail });
