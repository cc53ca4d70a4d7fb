import { DevicePicture } from '../ui/device-picture.tsx';
import { usePicture } from './stored-picture.tsx';

interface Pictured {
  readonly photoId: number | null;
  /** The drawn one of its category. */
  readonly picture: string;
}

/** A product's photo; the drawn picture of its category where it has none, or until it is here. */
export function ProductPicture({ of, size = 40 }: { of: Pictured; size?: number }) {
  const source = usePicture(of.photoId);
  if (!source) return <DevicePicture category={of.picture} size={size} />;
  return (
    <span className="m-device-picture" style={{ inlineSize: size, blockSize: size }}>
      <img className="m-device-photo" src={source} alt="" />
    </span>
  );
}
