import { logCalls } from '@mooring/contract/audit-log/calls';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { CallFailed } from '../../kit/dead-end.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { actionWords } from './log-words.tsx';

const isFields = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value);
const written = (value: unknown) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The fields that differ, side by side; everything where there is only one side. */
function Changes({ before, after }: { before: unknown; after: unknown }) {
  const t = useT();
  if (!isFields(before) && !isFields(after)) {
    return before === null && after === null ? null : (
      <p className="m-words" dir="auto">
        {[written(before), written(after)].filter(Boolean).join(' → ')}
      </p>
    );
  }
  const [left, right] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => !isFields(before) || !isFields(after) || written(left[name]) !== written(right[name]),
  );
  if (names.length === 0) return null;
  return (
    <section className="m-stack-tight">
      <h3>{t('log.changed')}</h3>
      <table className="m-diff">
        <thead>
          <tr>
            <th scope="col">{t('log.field')}</th>
            {isFields(before) ? <th scope="col">{t('log.before')}</th> : null}
            {isFields(after) ? <th scope="col">{t('log.after')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" className="m-mono m-small">
                {name}
              </th>
              {isFields(before) ? <td dir="auto">{written(left[name])}</td> : null}
              {isFields(after) ? <td dir="auto">{written(right[name])}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One entry of the log with what it changed and its link in the chain. */
export function LogEntryDrawer({ row, onClose }: { row: RowOf<typeof logCalls.page>; onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { data, error, retry } = useCall(logCalls.detail, { id: row.id });
  const facts = [
    [t('log.at'), format.moment(String(row.at), 'second')],
    [t('log.call'), actionWords(row.action, t)],
    [t('log.actor'), (row.actorDept ? `${row.actorName} (${row.actorDept})` : row.actorName) || t('log.nobody')],
    ...(row.tried ? [[t('log.tried'), row.tried] as const] : []),
    [t('log.ip'), row.ip],
    ...(row.device ? [[t('log.device'), row.device] as const] : []),
    [t('log.platform'), row.platform ? loose(`platform.${row.platform}`, row.platform) : ''],
    [t('log.path'), row.call],
    [t('log.requestId'), row.requestId],
    [t('log.seal'), row.sealNo === null ? t('log.seal.none') : String(row.sealNo)],
  ] as const;
  return (
    <Drawer open title={row.target ? wordsOfTarget(row.target, t) : actionWords(row.action, t)} onClose={onClose} width={640}>
      <div className="m-stack">
        <FactList facts={facts} />
        {error ? <CallFailed part error={error} onRetry={retry} /> : null}
        {!data && !error ? <Bone height={120} /> : null}
        {data ? (
          <>
            <Changes before={data.before} after={data.after} />
            {data.input === null || data.input === undefined ? null : (
              <section className="m-stack-tight">
                <h3>{t('log.input')}</h3>
                <pre className="m-words m-mono m-small">{JSON.stringify(data.input, undefined, 2)}</pre>
              </section>
            )}
            {data.hash ? (
              <span className="m-row">
                <span className="m-muted">{t('log.hash')}</span>
                <CopyText text={data.hash} short={16} />
              </span>
            ) : null}
          </>
        ) : null}
      </div>
    </Drawer>
  );
}
