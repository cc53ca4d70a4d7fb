import type { NavNode } from '@mooring/contract/access/calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { useDeferredValue, useState } from 'react';
import { useCall } from '../../kit/queries.ts';
import { TextInput } from '../../ui/controls.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** Beyond these, groups begin closed, and a search stands above them. */
const FEW = 12;
const pagesOf = (groups: readonly NavNode[]) => groups.reduce((sum, group) => sum + group.children.length, 0);

/** What a search leaves: a page by its own name or one of its actions, a group by its name with all of it. */
function found(groups: readonly NavNode[], part: string): NavNode[] {
  const says = ({ name }: NavNode) => name.toLowerCase().includes(part);
  return groups.flatMap((group) => {
    const children = says(group) ? group.children : group.children.filter((page) => says(page) || page.children.some(says));
    return children.length > 0 ? [{ ...group, children }] : [];
  });
}

function Groups({ groups, open }: { groups: readonly NavNode[]; open: boolean }) {
  const format = useFormat();
  return groups.map((group) => (
    <details key={group.id} className="m-fold" open={open}>
      <summary>
        <b className="m-small">{group.name}</b> <span className="m-tag m-tag-plain">{format.number(group.children.length)}</span>
      </summary>
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
    </details>
  ));
}

/** The pages of a holder with what may be done on each, on each platform that the role works on. */
export function RolePreview({ menus, platforms }: { menus: readonly string[]; platforms: readonly ('centre' | 'manager')[] }) {
  const t = useT();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(menus);
  const seen = useCall(roleCalls.preview, { menus: [...wanted], platforms: [...platforms] }, { keep: true, enabled: platforms.length > 0 });
  const part = text.trim().toLowerCase();
  const parts = platforms.map((platform) => ({ platform, groups: seen.data?.[platform] ?? [] }));
  const many = parts.reduce((sum, { groups }) => sum + pagesOf(groups), 0) > FEW;
  return (
    <section className="m-panel" aria-label={t('access.preview')}>
      <div className="m-panel-head">
        <h2>{t('access.preview')}</h2>
      </div>
      <div className="m-panel-body m-stack">
        {many ? (
          <TextInput
            label={t('access.tree.search')}
            placeholder={t('access.tree.search')}
            icon="search"
            value={text}
            onChange={setText}
            clear
          />
        ) : null}
        {parts.map(({ platform, groups }) => {
          const left = many ? found(groups, part) : groups;
          return (
            <div key={platform} className="m-stack-tight">
              <span className="m-small m-muted">{t(`platform.${platform}`)}</span>
              {left.length > 0 ? (
                <Groups groups={left} open={!many || part !== ''} />
              ) : (
                <p className="m-muted">{t(groups.length > 0 ? 'access.tree.nothing' : 'access.preview.empty')}</p>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}
