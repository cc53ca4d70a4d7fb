import { deptCalls } from '@mooring/contract/org/calls';
import type { DeptNode } from '@mooring/contract/org/schemas';
import { useDeferredValue, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall, useCalls } from '../../kit/queries.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Note, TableSkeleton } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { Tree, type TreeLine } from '../../ui/tree.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

function NodeLabel({ node, match }: { node: DeptNode; match: boolean }) {
  const loose = useLooseT();
  return (
    <span className="m-row">
      <span className="m-clip" title={node.name}>
        {match ? <b>{node.name}</b> : node.name}
      </span>
      {node.state === 'enabled' ? null : <Tag tone="warn">{loose(`life.org.${node.state}`, node.state)}</Tag>}
    </span>
  );
}

/** One level at a time, so that ten thousand units cost nothing; a search shows what matches with all above it. */
export function DeptTree({ current, onPick }: { current: number | undefined; onPick: (id: number) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const root = useCall(deptCalls.tree, {});
  const rootId = root.data?.nodes[0]?.id;
  const [opened, setOpened] = useState<readonly number[]>();
  const open = opened ?? (rootId === undefined ? [] : [rootId]);
  const levels = useCalls(
    deptCalls.tree,
    open.map((parentId) => ({ parentId })),
  );
  const found = useCall(deptCalls.tree, { text: wanted }, { enabled: wanted !== '', keep: true });
  const shown = wanted === '' ? root : found;
  if (shown.error && !shown.data) return <CallFailed part error={shown.error} onRetry={shown.retry} />;
  const childrenOf = (id: number): readonly DeptNode[] | undefined => levels[open.indexOf(id)]?.data?.nodes;
  const lineOf = (node: DeptNode, level: number, isOpen: boolean, match = false): TreeLine => ({
    id: String(node.id),
    label: <NodeLabel node={node} match={match} />,
    level,
    expandable: wanted === '' && node.childCount > 0,
    open: isOpen,
    busy: isOpen && wanted === '' && childrenOf(node.id) === undefined,
    current: node.id === current,
  });
  const walk = (nodes: readonly DeptNode[], level: number): TreeLine[] =>
    nodes.flatMap((node) => {
      const isOpen = open.includes(node.id) && node.childCount > 0;
      return [lineOf(node, level, isOpen), ...(isOpen ? walk(childrenOf(node.id) ?? [], level + 1) : [])];
    });
  const matched = (): TreeLine[] => {
    const nodes = found.data?.nodes ?? [];
    const depths = new Map<number, number>();
    return nodes.map((node) => {
      const level = (node.parentId === null ? 0 : (depths.get(node.parentId) ?? 0)) + 1;
      depths.set(node.id, level);
      return lineOf(node, level, false, found.data?.matches.includes(node.id));
    });
  };
  const lines = wanted === '' ? walk(root.data?.nodes ?? [], 1) : matched();
  const more = wanted === '' ? levels.some((one) => one.data?.more) : found.data?.more;
  return (
    <div className="m-panel">
      <div className="m-panel-head">
        <TextInput label={t('org.tree.search')} placeholder={t('org.tree.search')} icon="search" value={text} onChange={setText} clear />
      </div>
      <div className="m-tree-frame">
        {shown.data === undefined ? <TableSkeleton rows={6} columns={1} /> : null}
        {shown.data && lines.length === 0 ? <p className="m-muted m-panel-body">{t('org.tree.nothing')}</p> : null}
        {lines.length > 0 ? (
          <Tree
            label={t('org.tree')}
            lines={lines}
            onPick={(id) => onPick(Number(id))}
            onToggle={(id, next) => setOpened(next ? [...open, Number(id)] : open.filter((one) => one !== Number(id)))}
          />
        ) : null}
        {more ? <Note>{t('org.tree.more')}</Note> : null}
      </div>
    </div>
  );
}
