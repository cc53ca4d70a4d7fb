import { appVersionCalls } from '@mooring/contract/app/calls';
import { useCall } from '../../kit/queries.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import type { Version } from './versions.tsx';

const words = { true: 'appVersion.profiles.good', false: 'appVersion.profiles.bad', null: 'appVersion.profiles.unread' } as const;
const tones = { true: 'good', false: 'bad', null: 'wait' } as const;

/** What the products of a version ask of its signature. */
export function VersionProfiles({ row }: { row: Version }) {
  const t = useT();
  const { data } = useCall(appVersionCalls.profiles, { id: row.id });
  if (!data || data.length === 0) return null;
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="version-profiles">
      <h2 id="version-profiles">{t('appVersion.profiles')}</h2>
      <dl className="m-facts">
        {data.map((one) => (
          <div key={`${one.productName} ${one.profileName}`}>
            <dt>{one.productName}</dt>
            <dd>
              {[one.profileName, t(`signingProfile.kind.${one.kind}`), one.root].filter((part) => part !== '').join(': ')}
              <br />
              <StatusTag tone={tones[`${one.satisfied}`]}>{t(words[`${one.satisfied}`])}</StatusTag>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
