import { Component, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';
import { useSeen } from '../seen.ts';
import { Bone, Note } from '../states.tsx';
import { useT } from '../words.ts';
import type { MapBox, MapCanvasProps, MapHandle } from './map-canvas.tsx';
import './map.css';

const Canvas = lazy(() => import('./map-canvas.tsx').then((found) => ({ default: found.MapCanvas })));

/** Where the drawing can't be had, what it shows stands beside it still. */
class OrWords extends Component<{ instead: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

interface MapFrameProps extends Omit<MapCanvasProps, 'label' | 'handle' | 'onReady'> {
  /** All that is to be seen; the button for it is there where it is known. */
  readonly whole?: MapBox | undefined;
  readonly handle?: React.RefObject<MapHandle | null>;
  /** Stands over the map. */
  readonly children?: ReactNode;
}

/** A map with its buttons. */
export function MapFrame({ whole, handle, children, ...canvas }: MapFrameProps) {
  const t = useT();
  const own = useRef<MapHandle>(null);
  const [ready, setReady] = useState(false);
  const map = handle ?? own;
  const [place, seen] = useSeen<HTMLDivElement>();
  return (
    <div ref={place} className="m-map" data-ready={ready} data-unseen={seen ? undefined : true}>
      <OrWords instead={<Note tone="warn">{t('map.failed')}</Note>}>
        <Suspense fallback={<Bone height={320} />}>
          {seen ? <Canvas {...canvas} label={t('map.label')} handle={map} onReady={() => setReady(true)} /> : null}
        </Suspense>
      </OrWords>
      <div className="m-map-zoom">
        <IconButton icon="add" label={t('map.zoomIn')} onClick={() => map.current?.zoomBy(1)} />
        <IconButton icon="minus" label={t('map.zoomOut')} onClick={() => map.current?.zoomBy(-1)} />
        {canvas.drawing === 'polygon' ? (
          <IconButton icon="undo" label={t('map.draw.undo')} onClick={() => map.current?.undoCorner()} />
        ) : null}
        {whole ? <IconButton icon="map" label={t('map.whole')} onClick={() => map.current?.fit(whole)} /> : null}
      </div>
      {canvas.tiles?.attribution ? <p className="m-map-attribution">{canvas.tiles.attribution}</p> : null}
      {children}
    </div>
  );
}
