import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { type CanvasProps, optionOf } from './chart-option.ts';
import { useScheme } from './theme.tsx';

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

/** Of a bar that lies, in pixels. */
const ROW = 28;

/** The drawing alone; loaded late, since the library is larger than a page. */
export function ChartCanvas(props: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<ReturnType<typeof init>>(undefined);
  const scheme = useScheme();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const chart = init(element, null, { renderer: 'svg' });
    drawn.current = chart;
    const watch = new ResizeObserver(() => chart.resize());
    watch.observe(element);
    return () => {
      watch.disconnect();
      chart.dispose();
    };
  }, []);
  useEffect(() => {
    const look = {
      scheme,
      mirrored: document.documentElement.dir === 'rtl',
      still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    };
    drawn.current?.setOption(optionOf(props, look), { notMerge: true });
  });
  // The drawing counts from the left in every language: where text begins would turn round otherwise.
  const height = props.kind === 'across' ? props.data.categories.length * ROW + ROW : undefined;
  return <div ref={frame} dir="ltr" className="m-chart" role="img" aria-label={props.label} style={{ height }} />;
}
