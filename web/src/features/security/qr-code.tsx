import { useMemo, type ReactNode } from 'react';
import { encode } from 'uqr';

/** Dark on white in both schemes: not every app reads an inverted code. */
export const QrCode = ({ value, label }: { value: string; label: string }): ReactNode => {
  const { path, size } = useMemo(() => {
    const { data, size: modules } = encode(value, { border: 0 });
    // eslint-disable-next-line house/catalogue-texts -- the data of an SVG path
    const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: cells.join(''), size: modules };
  }, [value]);
  return (
    <div className="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path fill="#000" d={path} />
      </svg>
    </div>
  );
};
