import type { NavNode } from '@mooring/contract/access/calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { useDeferredValue } from 'react';
import { useCall } from '../../kit/queries.ts';
import { useT } from '../../ui/words.ts';

function Part({ nodes }: { nodes: readonly NavNode[] }) {
  const t = useT();
  if (nodes.length === 0) return <p className="m-muted">{t('access.preview.empty')}</p>;
  return (
    <ul className="m-plain-list">
      {nodes.map((group) => (
        <li key={group.id}>
          <b className="m-small m-muted">{group.name}</b>
          <ul className="m-plain-list">
            {group.children.map((page) => (
              <li key={page.id}>
                {page.name}
                {page.children.length > 0 ? (
                  <span className="m-small m-muted"> · {page.children.map((button) => button.name).join(', ')}</span>
                ) : null}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** The navigation of a holder with what may be done on each page, on each platform that the role works on. */
export function RolePreview({ menus, platforms }: { menus: readonly string[]; platforms: readonly ('centre' | 'manager')[] }) {
  const t = useT();
  const wanted = useDeferredValue(menus);
  const seen = useCall(roleCalls.preview, { menus: [...wanted], platforms: [...platforms] }, { keep: true, enabled: platforms.length > 0 });
  return (
    <section className="m-panel" aria-label={t('access.preview')}>
      <div className="m-panel-head">
        <h2>{t('access.preview')}</h2>
      </div>
      <div className="m-panel-body m-stack">
        {platforms.map((platform) => (
          <div key={platform} className="m-stack-tight">
            <span className="m-small m-muted">{t(`platform.${platform}`)}</span>
            <Part nodes={seen.data?.[platform] ?? []} />
          </div>
        ))}
      </div>
    </section>
  );
}
