import { neededAndroid } from '@mooring/contract/app/needed-android';
import { type Change, changeOf } from '@mooring/contract/app/version-changes';
import type { ReactNode } from 'react';
import { Tag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { AppIcon } from './app-icon.tsx';
import { Android } from './state-cells.tsx';
import { labelsOf } from './version-name.ts';
import type { Version } from './versions.tsx';

export interface Both {
  readonly now: Version;
  /** The one that was listed before it. */
  readonly before: Version | undefined;
}
interface Line {
  readonly key: string;
  readonly title: TextKey;
  readonly of: (row: Version) => ReactNode;
  /** What has to be the same in both for nothing to have changed; without it both are shown. */
  readonly value?: (row: Version) => string;
  /** What is told apart name by name. */
  readonly names?: (row: Version) => readonly string[];
}
/** So many names are written out; a version may be for a thousand serial numbers. */
const NAMED = 20;

function Names({ list }: { list: readonly string[] }) {
  const t = useT();
  const left = list.length - NAMED;
  return (
    <>
      {list.length === 0 ? '–' : list.slice(0, NAMED).join(', ')}
      {left > 0 ? ` ${t('appVersion.change.more', { count: left })}` : null}
    </>
  );
}

function Difference({ of }: { of: Change }) {
  const t = useT();
  return (
    <span className="m-stack-tight">
      {of.added.length > 0 ? (
        <span>
          <Tag tone="warn">{t('appVersion.change.added')}</Tag> <Names list={of.added} />
        </span>
      ) : null}
      {of.removed.length > 0 ? (
        <span>
          <Tag>{t('appVersion.change.removed')}</Tag> <Names list={of.removed} />
        </span>
      ) : null}
    </span>
  );
}

function Now({ line, now, before }: Both & { line: Line }) {
  const t = useT();
  if (!before) return line.of(now);
  const change = line.names && changeOf(line.names(before), line.names(now));
  const isSame = change ? change.added.length + change.removed.length === 0 : line.value?.(before) === line.value?.(now);
  if (isSame && (change || line.value)) return <span className="m-muted">{t('appVersion.change.same')}</span>;
  return change ? <Difference of={change} /> : line.of(now);
}

function Lines({ title, lines, now, before }: Both & { title: TextKey; lines: readonly Line[] }) {
  const t = useT();
  return (
    <Table
      label={t(title)}
      rows={lines}
      idOf={(line) => line.key}
      nameOf={(line) => t(line.title)}
      columns={[
        { key: 'title', title: t('appVersion.change.what'), width: 200, cell: (line) => t(line.title) },
        ...(before ? [{ key: 'before', title: t('appVersion.change.before'), width: 280, cell: (line: Line) => line.of(before) }] : []),
        { key: 'now', title: t('appVersion.change.now'), width: 280, cell: (line) => <Now line={line} now={now} before={before} /> },
      ]}
    />
  );
}

const named = (key: 'schemes' | 'abis' | 'features' | 'products' | 'depts' | 'sns', names: (row: Version) => readonly string[]): Line => ({
  key,
  title: `appVersion.${key}`,
  of: (row) => <Names list={names(row)} />,
  names,
});

/** What the package says of itself. */
export function PackageLines(both: Both) {
  const format = useFormat();
  const mono = (text: string) => <span className="m-mono m-small m-app-hash">{text}</span>;
  const lines: readonly Line[] = [
    { key: 'labels', title: 'appVersion.labels', of: (row) => <Names list={labelsOf(row)} />, names: labelsOf },
    { key: 'user', title: 'appVersion.sharedUser', of: (row) => mono(row.sharedUser || '–'), value: (row) => row.sharedUser },
    {
      key: 'min',
      title: 'appVersion.minSdk',
      of: (row) => <Android level={neededAndroid(row)} />,
      value: (row) => String(neededAndroid(row)),
    },
    {
      key: 'max',
      title: 'appVersion.maxSdk',
      of: (row) => (row.maxSdk === null ? '–' : <Android level={row.maxSdk} />),
      value: (row) => String(row.maxSdk),
    },
    { key: 'target', title: 'appVersion.targetSdk', of: (row) => <Android level={row.targetSdk} />, value: (row) => String(row.targetSdk) },
    {
      key: 'certificate',
      title: 'appVersion.certificateSha256',
      of: (row) => mono(row.certificateSha256),
      value: (row) => row.certificateSha256,
    },
    { key: 'signer', title: 'appVersion.signer', of: (row) => row.signer?.subject ?? '–', value: (row) => row.signer?.subject ?? '' },
    { key: 'size', title: 'appVersion.size', of: (row) => format.size(row.size), value: (row) => String(row.size) },
    named('schemes', (row) => row.schemes),
    named('abis', (row) => row.abis),
    named('features', (row) => row.features),
  ];
  return <Lines title="appVersion.change.rest" lines={lines} {...both} />;
}

/** What its owner says of it: how it looks, and whom it is for. */
export function AudienceLines(both: Both) {
  const t = useT();
  const lines: readonly Line[] = [
    // Each version keeps a picture of its own: whether they look the same is for the eye to say.
    { key: 'icon', title: 'appVersion.iconId', of: (row) => <AppIcon id={row.iconId} size={32} /> },
    { key: 'channel', title: 'appVersion.channel', of: (row) => t(`appVersion.channel.${row.channel}`), value: (row) => row.channel },
    named('products', (row) => row.products.map(({ name }) => name)),
    { key: 'scope', title: 'appVersion.scope', of: (row) => t(`appVersion.scope.${row.scope}`), value: (row) => row.scope },
    named('depts', (row) => row.depts.map(({ name }) => name)),
    named('sns', (row) => row.sns),
  ];
  return <Lines title="appVersion.change.audience" lines={lines} {...both} />;
}
