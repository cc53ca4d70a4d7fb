import { usePicture } from '../../kit/stored-picture.tsx';
import { Icon } from '../../ui/icon.tsx';
import './app.css';

/** An app's picture; a drawn one where its package has none, or until it is here. */
export function AppIcon({ id, size = 26 }: { id: number | null; size?: number }) {
  const source = usePicture(id);
  return (
    <span className="m-app-icon" style={{ inlineSize: size, blockSize: size, fontSize: size * 0.6 }}>
      {source ? <img src={source} alt="" /> : <Icon name="app" />}
    </span>
  );
}
