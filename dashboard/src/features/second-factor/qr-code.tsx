/** A QR code, drawn here: a service that made pictures would see the secret. */
import { encode } from 'uqr'

interface Props {
  readonly text: string
  /** What it is for. */
  readonly label: string
}

/** Black on white in every theme, with the quiet zone of the standard, because some cameras read nothing else. */
export function QRCode({ text, label }: Props) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-card"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={dots.join('')} fill="#000000" />
    </svg>
  )
}
