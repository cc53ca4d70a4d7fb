import type { advertCalls } from '@mooring/contract/desktop/advert';
import type { ContentVersion } from '@mooring/contract/desktop/content-calls';
import { contentLimits } from '@mooring/contract/desktop/limits';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Bone } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type T, useFormat, useT } from '../../ui/words.ts';
import { createNext, type Kind } from './content-kinds.ts';
import type { Change } from './version-changes.ts';

type Calls = Pick<typeof advertCalls, 'versions' | 'detail'>;
interface Row {
  readonly id: number;
}
const numberWords = (t: T, { number }: Pick<ContentVersion, 'number'>) => (number === null ? t('content.number.draft') : String(number));

function Changes({ changes }: { changes: readonly Change[] }) {
  const t = useT();
  if (changes.length === 0) return <p>{t('content.versions.same')}</p>;
  return (
    <Table
      label={t('content.change')}
      rows={changes.map((one, at) => ({ ...one, at }))}
      idOf={({ at }) => at}
      nameOf={(one) => one.of}
      columns={[
        { key: 'of', title: t('content.change.of'), width: 220, cell: (one) => one.of },
        { key: 'change', title: t('content.change'), width: 420, cell: ({ change }) => change },
      ]}
    />
  );
}

/** What a version changed against another one of its line, the one before it at first. */
function Compared({ kind, of, all, onClose }: { kind: Kind; of: ContentVersion; all: readonly ContentVersion[]; onClose: () => void }) {
  const t = useT();
  const calls = kind.calls as unknown as Calls;
  const others = all.filter((one) => one.id !== of.id);
  const place = (id: number) => all.findIndex((one) => one.id === id);
  const [against, setAgainst] = useState(all[place(of.id) + 1]?.id ?? others[0]?.id ?? of.id);
  const before = useCall(calls.detail, { id: against });
  const after = useCall(calls.detail, { id: of.id });
  const [one, two] = [before.data, after.data];
  const error = before.error ?? after.error;
  const retry = () => {
    before.retry();
    after.retry();
  };
  // The earlier one is told first, whichever of them was asked for.
  const isLater = place(against) < place(of.id);
  const other = all.find((one) => one.id === against) ?? of;
  const [from, to] = isLater ? [of, other] : [other, of];
  return (
    <Dialog
      open
      title={t('content.versions.compared', { from: numberWords(t, from), to: numberWords(t, to) })}
      width={760}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('kit.close')}</Button>}
    >
      <div className="m-stack">
        <Field label={t('content.versions.against')}>
          <Select
            value={against}
            options={others.map((one) => ({ value: one.id, label: numberWords(t, one) }))}
            onChange={(id) => setAgainst(id ?? against)}
          />
        </Field>
        {error ? <CallFailed part error={error} onRetry={retry} /> : null}
        {one && two ? (
          <Changes changes={isLater ? kind.changes(t, two as never, one as never) : kind.changes(t, one as never, two as never)} />
        ) : null}
        {(one && two) || error ? null : <Bone height={80} />}
      </div>
    </Dialog>
  );
}

function Releases({ of: { releases, releaseCount } }: { of: ContentVersion }) {
  const t = useT();
  if (releases.length === 0) return '–';
  const more = (releaseCount ?? 0) - releases.length;
  return (
    <div className="m-content-releases">
      {releases.map(({ id, name }) => (
        <Link key={id} to={`/task/detail/${id}`}>
          {name}
        </Link>
      ))}
      {more > 0 ? <span className="m-muted">{t('content.versions.more', { count: more })}</span> : null}
    </div>
  );
}

/** The line of a row: by whom and when each was published, what was released of it, what it changed, and the way to use it again. */
export function ContentVersions({ kind, row }: { kind: Kind; row: Row }) {
  const t = useT();
  const format = useFormat();
  const [open, setOpen] = useState<ContentVersion>();
  const calls = kind.calls as unknown as Calls;
  const found = useCall(calls.versions, { id: row.id });
  if (found.error && !found.data) return <CallFailed part error={found.error} onRetry={found.retry} />;
  if (!found.data) return <Bone height={120} />;
  const all = found.data;
  const seesReleases = all.some((one) => one.releaseCount !== null);
  const mayFollow = allows(row, 'nextVersion') && all.every((one) => one.number !== null);
  const acts = (one: ContentVersion) => (
    <div className="m-row m-row-wrap">
      {all.length > 1 ? (
        <Button small onClick={() => setOpen(one)} of={numberWords(t, one)}>
          {t('content.versions.compare')}
        </Button>
      ) : null}
      {mayFollow ? (
        <Button small onClick={() => createNext(kind, one)} of={numberWords(t, one)}>
          {t('content.next.again')}
        </Button>
      ) : null}
      {all.length > 1 || mayFollow ? null : '–'}
    </div>
  );
  return (
    <>
      <Table
        label={t('content.versions')}
        rows={all}
        idOf={(one) => one.id}
        nameOf={(one) => numberWords(t, one)}
        current={row.id}
        columns={[
          {
            key: 'number',
            title: t('content.number'),
            width: 90,
            cell: (one) => (one.id === row.id ? numberWords(t, one) : <Link to={`${kind.page}/${one.id}`}>{numberWords(t, one)}</Link>),
          },
          { key: 'name', title: t(`${kind.part}.name`), width: 180, cell: (one) => one.name },
          { key: 'state', title: t(`${kind.part}.state`), width: 120, cell: (one) => <StateTag machine={kind.machine} code={one.state} /> },
          {
            key: 'at',
            title: t('content.publishedAt'),
            width: 180,
            cell: (one) => (one.publishedAt ? format.moment(String(one.publishedAt)) : '–'),
          },
          { key: 'by', title: t('content.publishedBy'), width: 150, cell: (one) => one.publishedBy || '–' },
          ...(seesReleases
            ? [{ key: 'releases', title: t('content.versions.releases'), width: 200, cell: (one: ContentVersion) => <Releases of={one} /> }]
            : []),
          { key: 'acts', title: t('content.change'), width: 340, cell: acts },
        ]}
      />
      {all.length < contentLimits.versions ? null : (
        <p className="m-muted">{t('content.versions.newest', { most: contentLimits.versions })}</p>
      )}
      {open ? <Compared kind={kind} of={open} all={all} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
