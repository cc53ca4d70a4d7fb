import { useLooseT, useT } from '../ui/words.ts';
import { Link } from './link.tsx';
import { type MadeOn, wayTo } from './made-on.ts';
import { useSession } from './session.ts';

/** In a list without what one looks for: the page where it is made; nothing for those who may not open it. */
export function WayToMade({ madeOn, lead }: { madeOn: MadeOn; lead?: string }) {
  const t = useT();
  const loose = useLooseT();
  const { platform, held, user } = useSession();
  const way = wayTo(madeOn, { platform, held, elsewhere: new Set(user?.permissionsElsewhere) });
  if (!way) return null;
  const name = loose(`menu.${way.page}`, way.page);
  const page = way.platform ? `${t(`platform.${way.platform}`)} › ${name}` : name;
  return (
    <span className="m-way m-small m-muted">
      {lead} <Link to={way.to}>{t('kit.select.open', { page })}</Link>
    </span>
  );
}
