import type { RowOf } from '@mooring/contract/kit/entity';
import type { SigningKey } from '@mooring/contract/signing/key';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

const DAY_MS = 86_400_000;
/** The first time that people are told of it. */
const SOON_DAYS = 60;

/** What of it asks for somebody: its certificate ends, or something of it is left on a token. */
export function KeyNotes({ row }: { row: RowOf<typeof SigningKey> }) {
  const t = useT();
  const days = Math.ceil((new Date(row.notAfter).getTime() - Date.now()) / DAY_MS);
  const isUsed = row.state === 'active' || row.state === 'suspended';
  return (
    <>
      {isUsed && days <= 0 ? <Note tone="danger">{t(row.signedApps ? 'signingKey.ends.overApps' : 'signingKey.ends.over')}</Note> : null}
      {isUsed && days > 0 && days <= SOON_DAYS ? (
        <Note tone="warn">{t(row.signedApps ? 'signingKey.ends.soonApps' : 'signingKey.ends.soon', { days })}</Note>
      ) : null}
      {row.remains === null ? null : (
        <Note tone={row.remains === 'elsewhere' || row.remains === 'kept' ? 'warn' : 'info'}>
          {t(`signingKey.remains.${row.remains}.about`)}
        </Note>
      )}
    </>
  );
}
