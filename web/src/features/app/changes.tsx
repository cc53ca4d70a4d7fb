import { appVersionCalls } from '@mooring/contract/app/calls';
import { dangerOf } from '@mooring/contract/app/dangerous-permissions';
import { type Change, packageChanges } from '@mooring/contract/app/version-changes';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { ReactNode } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { AndroidUnknown } from './audience.tsx';
import { AudienceLines, type Both, PackageLines } from './change-lines.tsx';
import { Screenshots, Texts, useShownLanguage } from './listing-view.tsx';
import { appPath } from './paths.ts';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

const Part = ({ title, children }: { title: TextKey; children: ReactNode }) => {
  const t = useT();
  return (
    <section className="m-panel">
      <div className="m-panel-head">
        <h2>{t(title)}</h2>
      </div>
      <div className="m-panel-body m-stack-tight">{children}</div>
    </section>
  );
};

function Permission({ name }: { name: string }) {
  const t = useT();
  const danger = dangerOf(name);
  if (danger === undefined) return <span className="m-mono m-small">{name}</span>;
  return (
    <>
      <b>{t(`app.permission.${danger}`)}</b> <span className="m-mono m-small m-muted">{name}</span>
    </>
  );
}

/** What is new first, then what is gone, then what stays. */
function Listed({ of, first }: { of: Change; first: boolean }) {
  const t = useT();
  const rows = [
    ...of.added.map((name) => ({ name, mark: first ? null : <Tag tone="warn">{t('appVersion.change.added')}</Tag> })),
    ...of.removed.map((name) => ({ name, mark: <Tag>{t('appVersion.change.removed')}</Tag> })),
    ...of.same.map((name) => ({ name, mark: null })),
  ];
  if (rows.length === 0) return <p className="m-muted">{t('appVersion.change.none')}</p>;
  return (
    <ul className="m-plain-list m-stack-tight">
      {rows.map(({ name, mark }) => (
        <li key={name} className="m-row m-row-wrap">
          {mark}
          <Permission name={name} />
        </li>
      ))}
    </ul>
  );
}

/** The texts of both, side by side, in one language at a time. */
function BothTexts({ now, before }: Both) {
  const t = useT();
  const { shown, choice } = useShownLanguage([...new Set([...Object.keys(now.listing), ...Object.keys(before?.listing ?? {})])]);
  const one = (title: TextKey, row: Version) => (
    <div className="m-stack">
      {before ? <span className="m-small m-muted">{t(title)}</span> : null}
      <Texts of={row.listing[shown]} />
      <Screenshots of={row} />
    </div>
  );
  return (
    <>
      {choice}
      <div className="m-app-texts">
        {before ? one('appVersion.change.before', before) : null}
        {one('appVersion.change.now', now)}
      </div>
    </>
  );
}

/** Whose app it could be taken for. */
function Namesakes({ of }: { of: OutputOf<typeof appVersionCalls.compare>['namesakes'] }) {
  const t = useT();
  return (
    <Note tone="warn">
      {t('appVersion.namesakes')}
      <ul className="m-plain-list">
        {of.map(({ appId, deptName, sameKey }) => (
          <li key={appId}>
            <Link to={appPath({ id: appId })}>{deptName}</Link>, {t(sameKey ? 'appVersion.namesake.same' : 'appVersion.namesake.other')}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** Which one it is beside: where none of the catalogue is there to be compared with, that is said. */
function sinceOf({ channel, publishState }: Version) {
  if (publishState === '0' || publishState === '2') return 'appVersion.since.gone';
  return channel === 'test' ? 'appVersion.since.test' : 'appVersion.since';
}

/** A version beside the one that was listed before it: dangerous permissions first. */
export function Changes({ row }: { row: Version }) {
  const t = useT();
  const { data, error, retry } = useCall(appVersionCalls.compare, { id: row.id });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <PageSkeleton />;
  const before = data.before ?? undefined;
  const changes = packageChanges(before, data.now);
  const first = before === undefined;
  const fresh = changes.dangerous.added.length;
  return (
    <div className="m-stack">
      <p className="m-muted">{before ? t(sinceOf(before), { name: nameOf(before) }) : t('appVersion.first')}</p>
      {data.changes.length > 0 ? (
        <Note tone="info">
          {t('appVersion.change.sinceSubmitted', { parts: data.changes.map((part) => t(`appVersion.part.${part}`)).join(', ') })}
        </Note>
      ) : null}
      <AndroidUnknown row={data.now} />
      {data.namesakes.length > 0 ? <Namesakes of={data.namesakes} /> : null}
      {data.now.sharedUser === '' ? null : <Note tone="warn">{t('appVersion.sharedUser.about', { user: data.now.sharedUser })}</Note>}
      {fresh > 0 && !first ? <Note tone="warn">{t('appVersion.change.newDangerous', { count: fresh })}</Note> : null}
      <Part title="appVersion.change.dangerous">
        <Listed of={changes.dangerous} first={first} />
      </Part>
      <Part title="appVersion.change.audience">
        <AudienceLines now={data.now} before={before} />
      </Part>
      <Part title="appVersion.change.rest">
        <PackageLines now={data.now} before={before} />
      </Part>
      <Part title="appVersion.change.permissions">
        <Listed of={changes.permissions} first={first} />
      </Part>
      <Part title="appVersion.change.texts">
        <BothTexts now={data.now} before={before} />
      </Part>
    </div>
  );
}
