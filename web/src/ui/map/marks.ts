import type { Tone } from '@mooring/contract/kit/state-machine';
import { shapes } from '../status-tag.tsx';
import { fonts, type Palette } from '../tokens.ts';

/** What stands at a place: one thing, or several together. */
export interface MapMark {
  readonly key: string;
  readonly lat: number;
  readonly lon: number;
  readonly count: number;
  /** The most first. */
  readonly parts: readonly { readonly tone: Tone; readonly n: number }[];
  /** What is written in it where it is several. */
  readonly label: string;
  readonly picked?: boolean;
  /** A shop, with its name beneath; it lies under all others. */
  readonly shop?: boolean;
}

const SINGLE_RADIUS = 9;
const SHOP_RADIUS = 15;
export const radiusOf = ({ count, shop }: Pick<MapMark, 'count' | 'shop'>): number =>
  shop ? SHOP_RADIUS : count === 1 ? SINGLE_RADIUS : Math.min(32, 15 + 4.5 * Math.log10(count));

/** The way round: each state's share of it. */
function drawRing(context: CanvasRenderingContext2D, { count, parts }: MapMark, radius: number, palette: Palette): void {
  let from = -Math.PI / 2;
  for (const { tone, n } of parts) {
    const to = from + (n / count) * 2 * Math.PI;
    context.beginPath();
    context.arc(0, 0, radius - 2.5, from, to);
    context.lineWidth = 5;
    context.strokeStyle = palette[tone];
    context.stroke();
    from = to;
  }
}

function drawShape(context: CanvasRenderingContext2D, tone: Tone, size: number, palette: Palette): void {
  context.save();
  context.scale(size / 12, size / 12);
  context.translate(-6, -6);
  const path = new Path2D(shapes[tone]);
  context.lineJoin = 'round';
  context.lineWidth = 1.4;
  context.fillStyle = palette[tone];
  context.strokeStyle = palette[`${tone}Edge`];
  context.fill(path);
  context.stroke(path);
  if (tone === 'good') {
    context.strokeStyle = '#04263a';
    context.lineCap = 'round';
    context.stroke(new Path2D('M3.9 6.1l1.5 1.5 2.8-3'));
  }
  context.restore();
}

/** Wider than a terminal's mark, which stands in its middle. */
function drawShop(context: CanvasRenderingContext2D, { label }: MapMark, palette: Palette): void {
  context.lineJoin = 'round';
  context.lineWidth = 2;
  context.fillStyle = palette.primarySoft;
  context.strokeStyle = palette.primary;
  const path = new Path2D('M-13 -5 L0 -17 L13 -5 V14 H-13 Z');
  context.fill(path);
  context.stroke(path);
  if (label === '') return;
  context.font = `600 12px ${fonts.text}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineWidth = 4;
  context.strokeStyle = palette.surface;
  context.strokeText(label, 0, 19);
  context.fillStyle = palette.text;
  context.fillText(label, 0, 19);
}

/** Drawn around the origin. One is its state's colour and shape; of several the most frequent state's shape stands over the figure. */
export function drawMark(context: CanvasRenderingContext2D, mark: MapMark, palette: Palette): void {
  const radius = radiusOf(mark);
  const [first] = mark.parts;
  if (mark.picked) {
    context.beginPath();
    context.arc(0, 0, radius + 5, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.strokeStyle = palette.primary;
    context.stroke();
  }
  if (mark.shop) {
    drawShop(context, mark, palette);
    return;
  }
  if (mark.count === 1) {
    drawShape(context, first?.tone ?? 'idle', SINGLE_RADIUS * 2, palette);
    return;
  }
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = palette.raised;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.edge;
  context.stroke();
  drawRing(context, mark, radius, palette);
  if (first) {
    context.save();
    context.translate(0, -radius * 0.38);
    drawShape(context, first.tone, 7, palette);
    context.restore();
  }
  context.fillStyle = palette.text;
  context.font = `600 ${radius < 20 ? 11 : 12}px ${fonts.text}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(mark.label, 0, radius * 0.2);
}
