import type { ChartData, Series } from './chart-data.ts';
import { chartTip } from './chart-tip.ts';
import { series as colours, fonts, type Palette, palettes, type Scheme } from './tokens.ts';

/** `across`: bars below one another, each with its name before it and its figure behind it, for names that are long. */
export type ChartKind = 'line' | 'area' | 'bar' | 'stack' | 'across' | 'pie';
export interface CanvasProps {
  kind: ChartKind;
  data: ChartData;
  write: (value: number) => string;
  /** What the values are, where their axis isn't an ordinary one: `bytes` has steps of 1024, a `level` doesn't begin at 0. */
  scale?: 'bytes' | 'level' | undefined;
  label: string;
}

const symbols = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin', 'arrow'];

function fillOf(one: Series, at: number, palette: Palette, scheme: Scheme): { fill: string; edge: string } {
  if (one.tone) return { fill: palette[one.tone], edge: palette[`${one.tone}Edge`] };
  const colour = colours[scheme][at % colours[scheme].length] ?? palette.primary;
  return { fill: colour, edge: colour };
}

interface Look {
  readonly scheme: Scheme;
  /** Words run from right to left: axes, legend and tooltip go along. */
  readonly mirrored: boolean;
  readonly still: boolean;
}

/** Four steps or so, of a power of two, and where the last one ends. */
function stepsOf(data: ChartData): { interval: number; max: number } {
  const most = Math.max(1, ...data.series.flatMap((one) => one.values.map((value) => value ?? 0)));
  const interval = 2 ** Math.max(0, Math.ceil(Math.log2(most / 4)));
  return { interval, max: Math.ceil(most / interval) * interval };
}

// A drawing is read from the left: only between two signs from right to left do the dots stand at the end of an Arabic name.
const [CUT, CUT_MIRRORED] = ['…', '…\u200f'];

interface Drawn extends Pick<Look, 'scheme' | 'mirrored'> {
  readonly palette: Palette;
  readonly text: object;
}
function acrossOf(data: ChartData, write: (value: number) => string, { palette, text, scheme, mirrored }: Drawn) {
  // Behind the longest bar its figure has to find room.
  const [near, far] = [8, 76];
  return {
    grid: { top: 4, bottom: 4, left: mirrored ? far : near, right: mirrored ? near : far, containLabel: true },
    xAxis: { type: 'value', show: false, max: 'dataMax', inverse: mirrored },
    yAxis: {
      type: 'category',
      data: [...data.categories],
      inverse: true,
      position: mirrored ? 'right' : 'left',
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...text, color: palette.text, interval: 0, width: 120, overflow: 'truncate', ellipsis: mirrored ? CUT_MIRRORED : CUT },
    },
    series: data.series.map((one, at) => {
      const { fill, edge } = fillOf(one, at, palette, scheme);
      return {
        type: 'bar',
        name: one.name,
        data: [...one.values],
        barMaxWidth: 14,
        // The least is seen too.
        barMinHeight: 2,
        itemStyle: { color: fill, borderColor: edge, borderWidth: 1 },
        label: {
          ...text,
          show: true,
          color: palette.text,
          position: mirrored ? 'left' : 'right',
          formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? write(value) : ''),
        },
      };
    }),
  };
}

export function optionOf({ kind, data, write, label, scale }: CanvasProps, { scheme, mirrored, still }: Look) {
  const palette = palettes[scheme];
  const text = { color: palette.muted, fontFamily: fonts.text, fontSize: 12 };
  const named = kind === 'pie' ? data.categories : data.series.map((one) => one.name);
  const hasLegend = named.length > 1 || kind === 'pie' || kind === 'stack';
  const common = {
    animationDuration: still ? 0 : 180,
    animationDurationUpdate: still ? 0 : 180,
    textStyle: text,
    aria: { enabled: true, label: { description: label } },
    tooltip: {
      trigger: kind === 'pie' ? 'item' : 'axis',
      confine: true,
      backgroundColor: palette.raised,
      borderColor: palette.line,
      textStyle: { ...text, color: palette.text },
      formatter: (found: unknown) => chartTip(found, write),
    },
    legend: hasLegend
      ? {
          // In one line, however many there are: a second one would lie over the axis.
          type: 'scroll',
          bottom: 0,
          textStyle: text,
          itemWidth: 12,
          itemHeight: 10,
          icon: undefined,
          align: mirrored ? 'right' : 'left',
          data: mirrored ? [...named].reverse() : [...named],
        }
      : undefined,
  };
  if (kind === 'pie') {
    const [first] = data.series;
    return {
      ...common,
      series: [
        {
          type: 'pie',
          radius: ['52%', '76%'],
          center: ['50%', '44%'],
          label: { show: false },
          itemStyle: { borderColor: palette.surface, borderWidth: 2 },
          data: data.categories.map((name, at) => ({
            name,
            value: first?.values[at] ?? 0,
            itemStyle: { color: colours[scheme][at % colours[scheme].length] },
          })),
        },
      ],
    };
  }
  if (kind === 'across') return { ...common, ...acrossOf(data, write, { palette, text, scheme, mirrored }) };
  const bars = kind === 'bar' || kind === 'stack';
  return {
    ...common,
    grid: { top: 12, bottom: hasLegend ? 34 : 8, left: mirrored ? 24 : 8, right: mirrored ? 8 : 24, containLabel: true },
    xAxis: {
      type: 'category',
      data: [...data.categories],
      boundaryGap: bars,
      inverse: mirrored,
      axisLine: { lineStyle: { color: palette.edge } },
      axisTick: { show: false },
      axisLabel: { ...text, hideOverlap: true, alignMaxLabel: mirrored ? 'left' : 'right' },
    },
    yAxis: {
      type: 'value',
      position: mirrored ? 'right' : 'left',
      ...(scale === 'bytes' ? stepsOf(data) : { minInterval: 1 }),
      scale: scale === 'level',
      splitLine: { lineStyle: { color: palette.line } },
      axisLabel: { ...text, formatter: write },
    },
    series: data.series.map((one, at) => {
      const { fill, edge } = fillOf(one, at, palette, scheme);
      return bars
        ? {
            type: 'bar',
            name: one.name,
            data: [...one.values],
            stack: kind === 'stack' ? 'all' : undefined,
            barMaxWidth: 28,
            itemStyle: { color: fill, borderColor: edge, borderWidth: 1 },
          }
        : {
            type: 'line',
            name: one.name,
            data: [...one.values],
            symbol: symbols[at % symbols.length],
            symbolSize: 6,
            showSymbol: data.categories.length < 40,
            itemStyle: { color: fill, borderColor: edge },
            lineStyle: { width: 2, color: one.tone ? edge : fill, type: at % 2 === 1 ? 'dashed' : 'solid' },
            areaStyle: kind === 'area' ? { color: fill, opacity: 0.16 } : undefined,
          };
    }),
  };
}
