import { type GrantNode, roleCalls } from '@mooring/contract/access/role-calls';
import { useMemo, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Select, TextInput } from '../../ui/controls.tsx';
import { TableSkeleton } from '../../ui/states.tsx';
import { Tree, type TreeLine } from '../../ui/tree.tsx';
import { useT } from '../../ui/words.ts';
import { RolePreview } from './role-preview.tsx';

type Platform = 'centre' | 'manager';

/** Pages and buttons at and below a node. */
const codesOf = (node: GrantNode): string[] => [...(node.type === 1 ? [] : [node.code]), ...node.children.flatMap(codesOf)];
const fits = (node: GrantNode, part: string): boolean =>
  node.name.toLowerCase().includes(part) || node.children.some((child) => fits(child, part));
const on = (nodes: readonly GrantNode[], platform: Platform | undefined): GrantNode[] =>
  nodes
    .filter((node) => platform === undefined || node.platforms.includes(platform))
    .map((node) => ({ ...node, children: on(node.children, platform) }))
    .filter((node) => node.type !== 1 || node.children.length > 0);

/** What is chosen when a line is: a page goes with its buttons, a button brings its page along. */
function toggled(nodes: readonly GrantNode[], chosen: ReadonlySet<string>, code: string): string[] {
  const next = new Set(chosen);
  const walk = (node: GrantNode): boolean => {
    if (node.code === code) {
      const own = codesOf(node);
      const all = own.every((one) => next.has(one));
      for (const one of own) all ? next.delete(one) : next.add(one);
      return !all;
    }
    const below = node.children.map(walk).some(Boolean);
    if (below && node.type === 2) next.add(node.code);
    return below;
  };
  nodes.forEach(walk);
  return [...next];
}

/** The menu tree with boxes, and beside it what a holder would see. */
export function MenuTree({ value = [], onChange, values, disabled }: ControlPart<string[] | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const [platform, setPlatform] = useState<Platform>();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const type = values.type === '1' ? '1' : '2';
  const asked = useCall(roleCalls.grantable, { type }, { keep: true });
  const chosen = useMemo(() => new Set(value), [value]);
  const whole = asked.data ?? [];
  const part = text.trim().toLowerCase();
  const walk = (nodes: readonly GrantNode[], level: number): TreeLine[] =>
    nodes.flatMap((node) => {
      if (part !== '' && !fits(node, part)) return [];
      const open = node.children.length > 0 && (part !== '' || !closed.has(node.code));
      const own = codesOf(node);
      const held = own.filter((code) => chosen.has(code)).length;
      const line: TreeLine = {
        id: node.code,
        label: node.name,
        level,
        expandable: node.children.length > 0,
        open,
        checked: held === own.length ? true : held > 0 ? 'part' : false,
      };
      return [line, ...(open ? walk(node.children, level + 1) : [])];
    });
  const lines = walk(on(whole, platform), 1);
  if (asked.error && !asked.data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  return (
    <div className="m-tree-halves">
      <div className="m-panel">
        <div className="m-panel-head">
          <span className="m-grow">
            <TextInput
              label={t('access.tree.search')}
              placeholder={t('access.tree.search')}
              icon="search"
              value={text}
              onChange={setText}
              clear
            />
          </span>
          <Select
            label={t('access.platforms')}
            width={180}
            placeholder={t('access.tree.all')}
            clear
            value={platform}
            onChange={setPlatform}
            options={(['centre', 'manager'] as const).map((one) => ({ value: one, label: t(`platform.${one}`) }))}
          />
        </div>
        <div className="m-tree-frame">
          {asked.data === undefined ? <TableSkeleton rows={6} columns={1} /> : null}
          {asked.data && lines.length === 0 ? <p className="m-muted m-panel-body">{t('access.tree.nothing')}</p> : null}
          {lines.length > 0 ? (
            <Tree
              label={t('access.menus')}
              lines={lines}
              disabled={disabled}
              onPick={(code) => !disabled && onChange(toggled(on(whole, platform), chosen, code))}
              onToggle={(code, open) =>
                setClosed((now) => {
                  const next = new Set(now);
                  open ? next.delete(code) : next.add(code);
                  return next;
                })
              }
            />
          ) : null}
        </div>
        <p className="m-muted m-small m-panel-body">{t('access.tree.chosen', { count: chosen.size })}</p>
      </div>
      <RolePreview menus={value} platforms={(values.platforms as Platform[] | undefined) ?? []} />
    </div>
  );
}
