import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { messageOf } from '../../kit/client.ts';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Stat } from '../../ui/figures.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { useOpeningWords } from './openings.tsx';
import { InVain, Lacking, Refused } from './refused.tsx';

type Input = InputOf<TaskCalls['preview']>;

/** What the release would do, before it does it. */
interface Props {
  call: TaskCalls['preview'];
  input: Input;
  /** Something is downloaded, and has a version. */
  packaged: boolean;
  /** Where delta packages of what is sent are put to use. */
  deltas: string | undefined;
  /** What is said of terminals that have no version; that it isn’t known where it is left out. */
  absent: TextKey | undefined;
  /** Terminals may come later. */
  waits: boolean;
  onAllowDowngrade: (() => void) | undefined;
  /** Splits it into as many rings as there are stages; none where it is. */
  onRings: (() => void) | undefined;
}

function ApprovalNote({ onRings }: Pick<Props, 'onRings'>) {
  const t = useT();
  const act = onRings && (
    <Button small icon="add" onClick={onRings}>
      {t('ring.use')}
    </Button>
  );
  return (
    <Note tone={onRings ? 'warn' : 'info'} action={act}>
      {t('approval.wizard')}
    </Note>
  );
}

export function TaskPreview({
  call,
  input,
  packaged,
  deltas,
  absent = 'firmware.preview.unknownVersion',
  waits,
  onAllowDowngrade,
  onRings,
}: Props) {
  const t = useT();
  const format = useFormat();
  const words = useOpeningWords();
  const { data, error } = useCall(call, input);
  if (error) return <Note tone="danger">{messageOf(error)}</Note>;
  if (!data) return <Bone height={160} />;
  const opens = words(data.openings);
  const empty =
    data.rings.length > 1 && (data.matched > 0 || waits) ? data.rings.flatMap((count, at) => (count === 0 ? [at + 1] : [])) : [];
  return (
    <div className="m-stack">
      {data.approval ? <ApprovalNote onRings={onRings} /> : null}
      <div className="m-stats">
        <Stat label={t('firmware.task.devices')} value={format.number(data.matched)} />
        <Stat label={t('firmware.preview.online')} value={format.number(data.online)} />
        <Stat label={t('firmware.preview.busy')} value={format.number(data.busy)} />
        {packaged ? <Stat label={t('firmware.preview.bytes')} value={format.size(data.bytes)} /> : null}
        <Stat
          label={t('firmware.preview.end')}
          value={data.minutes === null ? '–' : t('firmware.preview.minutes', { time: format.span(data.minutes * 60) })}
          note={
            data.matched > data.online
              ? t('firmware.preview.offline', { count: data.matched - data.online })
              : data.minutes === null
                ? t('firmware.preview.noPace')
                : undefined
          }
        />
      </div>
      {data.matched === 0 && !waits ? <Note tone="warn">{t('firmware.preview.matched', { count: 0 })}</Note> : null}
      <Refused of={data.refused} onAllowDowngrade={onAllowDowngrade} />
      <Lacking of={data.lacking} matched={data.matched} />
      {data.openings && data.openings.never > 0 ? (
        <Note tone="warn">{t('firmware.preview.neverOpen', { count: data.openings.never })}</Note>
      ) : null}
      {opens ? <p>{t('window.next', { hours: opens })}</p> : null}
      <InVain title={t('firmware.preview.unknown', { count: data.unknownSns.length })} sns={data.unknownSns} />
      <InVain title={t('ring.stray', { count: data.strayRingSns.length })} sns={data.strayRingSns} />
      {data.rings.length > 1 ? (
        <p>
          {t('firmware.preview.rings')}:{' '}
          {data.rings.map((count, at) => `${t('ring.no', { ring: at + 1 })}: ${format.number(count)}`).join(' · ')}
        </p>
      ) : null}
      {empty.map((ring) => (
        <Note key={ring} tone="warn">
          {t(waits ? 'ring.emptyHolds' : 'ring.emptySkipped', { ring })}
        </Note>
      ))}
      {packaged && data.byVersion.length > 0 ? (
        <table className="m-plain-table">
          <thead>
            <tr>
              <th scope="col">{t('firmware.preview.from')}</th>
              <th scope="col" className="m-num">
                {t('firmware.preview.count')}
              </th>
              <th scope="col">{t('firmware.preview.gets')}</th>
              <th scope="col" className="m-num">
                {t('firmware.package.size')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.byVersion.map((row) => (
              <tr key={row.version ?? ''}>
                <th scope="row">{row.version ?? t(absent)}</th>
                <td className="m-num">{format.number(row.count)}</td>
                <td>
                  {t(`firmware.preview.gets.${row.gets}`)}
                  {row.idle && deltas ? (
                    <>
                      {' · '}
                      <Link to={deltas}>{t('firmware.preview.idle')}</Link>
                    </>
                  ) : null}
                </td>
                <td className="m-num">{format.size(row.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  );
}
