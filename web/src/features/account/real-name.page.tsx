import { realNameCalls } from '@mooring/contract/account/real-name-calls';
import { realNameMachine } from '@mooring/contract/account/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useMemo, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { usePermissionNames } from '../../kit/permissions.ts';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { go, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { RealNameFacts } from './real-name-facts.tsx';
import { RealNameForm } from './real-name-form.tsx';

type Own = OutputOf<typeof realNameCalls.authInfo>;

function RealNamePage() {
  const t = useT();
  const { data, error, loading, retry } = useCall(realNameCalls.authInfo, {});
  return (
    <div className="m-page m-account">
      <PageHead title={t('realName.title')} note={data ? <StateTag machine={realNameMachine} code={data.state} /> : null} />
      {error && !data ? <CallFailed part error={error} onRetry={retry} /> : null}
      {loading ? <PageSkeleton /> : null}
      {data ? <Body own={data} /> : null}
    </div>
  );
}

/** How it stands, in a sentence. */
function Standing({ own }: { own: Own }) {
  const t = useT();
  const format = useFormat();
  const { state, request, checked } = own;
  if (state === '3' || state === '6')
    return request ? <Note tone="info">{t('realName.waits', { at: format.moment(String(request.createdAt)) })}</Note> : null;
  if (state === '5') return <Note tone="danger">{t('realName.refused')}</Note>;
  if (state === '4') return <Note tone="warn">{t('realName.over')}</Note>;
  if (state === '7' && checked) return <Note tone="warn">{t('realName.soon', { day: checked.validUntil })}</Note>;
  if (state === '1' && request?.outcome === 'refused') return <Note tone="warn">{t('realName.refusedToOrg')}</Note>;
  return null;
}

function Body({ own }: { own: Own }) {
  const t = useT();
  const nameOf = usePermissionNames();
  const { may, checked, request, withheld } = own;
  const asked = useView().params.authType === 'org' ? 'org' : 'person';
  const kind = may.includes(asked) ? asked : may[0];
  const [open, setOpen] = useState(false);
  const shownForm = kind !== undefined && (open || checked === null);
  const again = request && request.outcome !== 'waiting' && request.outcome !== 'approved' ? request : undefined;
  const initial = useMemo(
    () =>
      again && again.kind === kind
        ? {
            name: again.name,
            validUntil: again.validUntil,
            ...(kind === 'org' ? { legalPerson: again.legalPerson ?? '' } : { documentKind: again.documentKind }),
          }
        : {},
    [again, kind],
  );
  return (
    <>
      <Standing own={own} />
      {own.authenticated && checked === null ? <Note tone="info">{t('realName.byOrg')}</Note> : null}
      {withheld.length > 0 ? (
        <Note tone="warn">
          {t('realName.withheld.title')}
          <ul>
            {withheld.map((one) => (
              <li key={one}>{nameOf(one)}</li>
            ))}
          </ul>
        </Note>
      ) : null}
      {checked ? (
        <section className="m-panel m-panel-body m-stack" aria-label={t('realName.checked')}>
          <h2>{t('realName.checked')}</h2>
          <RealNameFacts of={checked} />
          {kind && !open ? (
            <span>
              <Button look="primary" onClick={() => setOpen(true)}>
                {t(own.state === '1' ? 'realName.toOrg' : 'realName.renew')}
              </Button>
            </span>
          ) : null}
        </section>
      ) : null}
      {request && request.outcome !== 'approved' ? (
        <section className="m-panel m-panel-body m-stack" aria-label={t('realName.request')}>
          <h2>{t('realName.request')}</h2>
          <RealNameFacts of={request} reasons={request.reasons} />
        </section>
      ) : null}
      {shownForm && kind ? (
        <>
          <p className="m-muted">{t('realName.lead')}</p>
          {may.length > 1 ? (
            <Tabs
              active={kind}
              onChange={(key) => go(`/auth/${key}`, { replace: true })}
              items={may.map((one) => ({
                key: one,
                label: t(`realName.kind.${one}`),
                children: one === kind ? <RealNameForm key={one} kind={one} initial={initial} /> : null,
              }))}
            />
          ) : (
            <RealNameForm key={kind} kind={kind} initial={initial} {...(open ? { onCancel: () => setOpen(false) } : {})} />
          )}
        </>
      ) : null}
    </>
  );
}

export const realNamePage = { View: RealNamePage };
