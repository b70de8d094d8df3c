/** The picture of the current user: chosen from a file, made small in this browser, and checked by the server. */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ClientError, refreshSession, type User } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'

/** In pixels: twice what the server keeps. */
const size = 336

const notAPicture = () => new ClientError(400, 'INVALID_PICTURE', 'Invalid picture')

/** The middle of the picture as a square, turned as the camera was held. @returns a data URL of some 40 KB at most */
async function readSquare(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw notAPicture()
  })
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const scale = Math.max(size / picture.width, size / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const context = canvas.getContext('2d')
  if (!context) throw notAPicture()
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, (size - width) / 2, (size - height) / 2, width, height)
  picture.close()
  const webp = canvas.toDataURL('image/webp', 0.9)
  if (webp.startsWith('data:image/webp')) return webp
  // Safari writes no WebP. JPEG has no transparent pixels: they would be black.
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, size, size)
  return canvas.toDataURL('image/jpeg', 0.9)
}

export function PictureButtons({ user }: { readonly user: User }) {
  const t = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const { session } = useSession()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File | null) => {
      await call('POST /update-picture', { body: { picture: file && (await readSquare(file)) } })
      await refreshSession()
      showToast(t(file ? 'pictureSaved' : 'pictureRemoved'))
    },
  })
  if (session.impersonatedBy) return null
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? []
            // The same file can be chosen again.
            target.value = ''
            if (file) mutate(file)
          }}
        />
        <Button isBusy={isPending} title={t('pictureHint')} onClick={() => input.current?.click()}>
          {t(user.image ? 'changePicture' : 'addPicture')}
        </Button>
        {user.image ? (
          <Button variant="ghost" disabled={isPending} onClick={() => mutate(null)}>
            {t('removePicture')}
          </Button>
        ) : null}
      </div>
      {error ? (
        <div className="basis-full">
          <ErrorNote error={error} />
        </div>
      ) : null}
    </>
  )
}
