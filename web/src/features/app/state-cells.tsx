import { appPublishMachine, appReviewMachine } from '@mooring/contract/app/state-machines';
import { StateTag } from '../../kit/state-tag.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { androidOf } from './version-name.ts';

interface Stands {
  readonly reviewState: string;
  readonly publishState: string;
  readonly channel: 'release' | 'test';
}
/** How far a version has come: its review, and once that is done whether it is in the catalogue. */
export function VersionState({ of }: { of: Stands }) {
  const t = useT();
  return (
    <span className="m-row m-row-wrap">
      {of.reviewState === '2' ? (
        <StateTag machine={appPublishMachine} code={of.publishState} />
      ) : (
        <StateTag machine={appReviewMachine} code={of.reviewState} />
      )}
      {of.channel === 'test' ? <Tag>{t('app.channel.test')}</Tag> : null}
    </span>
  );
}

export function Android({ level }: { level: number }) {
  const t = useT();
  const name = androidOf(level);
  return name ? t('appVersion.api.named', { name, level }) : t('appVersion.api', { level });
}
