import type { NavNode } from '@mooring/contract/access/calls';
import { Brand } from '../kit/brand.tsx';
import { Link, linkTo } from '../kit/link.tsx';
import { Icon, isIcon } from '../ui/icon.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useFormat, useLooseT, useT } from '../ui/words.ts';
import { isWithin } from './menu.ts';

interface SidebarProps {
  nav: readonly NavNode[];
  active: NavNode | undefined;
  counts: Readonly<Record<string, number>>;
  slim?: boolean;
  onPick?: () => void;
}

export function Sidebar({ nav, active, counts, slim, onPick }: SidebarProps) {
  const t = useT();
  const loose = useLooseT();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
    <nav
      className={`m-sidebar${slim ? ' m-sidebar-slim' : ''}`}
      aria-label={t('shell.menu')}
      onClick={(event) => (event.target as Element).closest('a') && onPick?.()}
    >
      <div className="m-sidebar-brand">
        <Link to="/" {...(slim ? { label: t('shell.home') } : {})}>
          <Brand bare={slim ?? false} />
        </Link>
      </div>
      <ul>
        {nav.map((node) => (
          <li key={node.id}>
            {node.type === 2 ? (
              <Entry node={node} active={active} counts={counts} slim={slim} />
            ) : (
              <>
                <div className={`m-nav-group${isWithin(node, active) ? ' m-nav-group-active' : ''}`}>
                  {slim ? <span className="m-nav-line" /> : <span>{loose(`menu.${node.code}`, node.name)}</span>}
                </div>
                <ul>
                  {node.children.map((child) => (
                    <li key={child.id}>
                      <Entry node={child} parent={node} active={active} counts={counts} slim={slim} />
                    </li>
                  ))}
                </ul>
              </>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Entry({
  node,
  parent,
  active,
  counts,
  slim,
}: {
  node: NavNode;
  parent?: NavNode;
  active: NavNode | undefined;
  counts: Readonly<Record<string, number>>;
  slim: boolean | undefined;
}) {
  const loose = useLooseT();
  const format = useFormat();
  const name = loose(`menu.${node.code}`, node.name);
  const count = counts[node.code] ?? (node.url ? counts[node.url] : undefined);
  const wanted = node.icon ?? parent?.icon;
  const current = active?.id === node.id;
  const link = (
    <a className={`m-nav${current ? ' m-nav-current' : ''}`} {...linkTo(node.url ?? '/')} aria-current={current ? 'page' : undefined}>
      <Icon name={isIcon(wanted) ? wanted : 'file'} />
      <span className={slim ? 'm-hidden' : 'm-clip m-grow'}>{name}</span>
      {count ? <span className="m-nav-count">{format.count(count)}</span> : null}
    </a>
  );
  return slim ? <Tooltip title={name}>{link}</Tooltip> : link;
}
