import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Pager } from '../ui/pager.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Tree, type TreeLine } from '../ui/tree.tsx';
import { Part } from './parts.tsx';

const lines: readonly TreeLine[] = [
  { id: 'a', label: 'Payment terminals', level: 1, expandable: true, open: true },
  { id: 'b', label: 'Meridian Payments', level: 2, expandable: true, open: true, current: true },
  { id: 'c', label: 'Meridian Nordics', level: 3, expandable: false, open: false },
  { id: 'd', label: 'Harbour Bank', level: 2, expandable: true, open: false },
  { id: 'e', label: 'Being asked for', level: 2, expandable: true, open: false, busy: true },
];
const marks = ['part', true, true, false, false] as const;
const boxed = lines.map((line, at) => ({ ...line, current: false, checked: marks[at] ?? false }));
const still = () => {};

/** Where one is: trees, pages, names of what has no words. */
export function PlaceParts() {
  const [number, setNumber] = useState(2);
  const pager = { size: 10, hasPrev: number > 1, onGo: setNumber, onLast: () => setNumber(12), onSize: still };
  return (
    <Part name="Places">
      <div className="m-grid">
        <Tree label="Units" lines={lines} onToggle={still} onPick={still} />
        <Tree label="Rights" lines={boxed} onToggle={still} onPick={still} />
        <Tree label="Rights, fixed" lines={boxed} onToggle={still} onPick={still} disabled />
      </div>
      <Pager {...pager} of="Samples" shown={10} onFromEnd={() => {}} number={number} total={118} capped={false} hasNext={number < 12} />
      <Pager {...pager} of="Samples" shown={10} onFromEnd={() => {}} number={number} total={10_000} capped hasNext />
      <div className="m-row">
        <Tooltip title="Its name beside it">
          <a href="#name">Hover</a>
        </Tooltip>
        <IconButton icon="check" label="Pressed" pressed />
        <IconButton icon="delete" label="Delete" danger />
        <IconButton icon="reload" label="Busy" busy />
        <QrCode value="A920000123" label="QR code of A920000123" size={96} />
      </div>
      <ScrollRegion className="m-errors" label="Scrolls by itself">
        <pre>{Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join('\n')}</pre>
      </ScrollRegion>
    </Part>
  );
}
