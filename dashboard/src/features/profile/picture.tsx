/** The picture of the current user: chosen from a file, cut to a square in this browser, and checked by the server. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { ClientError, refreshSession, type User } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'

const CropDialog = lazy(() => import('./crop.tsx').then((module) => ({ default: module.CropDialog })))

const openFile = (file: File): Promise<ImageBitmap> =>
  createImageBitmap(file).catch(() => {
    throw new ClientError(400, 'INVALID_PICTURE', 'Invalid picture')
  })

function usePicture() {
  const t = useMessages(messages)
  const [opened, setOpened] = useState<ImageBitmap | null>(null)
  const open = useMutation({ mutationFn: openFile, onSuccess: setOpened })
  const save = useMutation({
    mutationFn: async (picture: string | null) => {
      await call('POST /update-picture', { body: { picture } })
      await refreshSession()
      showToast(t(picture === null ? 'pictureRemoved' : 'pictureSaved'))
    },
  })
  /** The error of one must not stay when the other starts. */
  const start = (work: () => void) => {
    open.reset()
    save.reset()
    work()
  }
  const close = () => {
    opened?.close()
    setOpened(null)
  }
  return {
    ...{ opened, close, isPending: save.isPending || open.isPending, error: save.error ?? open.error },
    open: (file: File) => start(() => open.mutate(file)),
    save: (picture: string | null) => start(() => save.mutate(picture)),
  }
}

export function PictureButtons({ user }: { readonly user: User }) {
  const t = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const { session } = useSession()
  const { opened, open, save, close, isPending, error } = usePicture()
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
            if (file) open(file)
          }}
        />
        <Button isBusy={isPending} title={t('pictureHint')} onClick={() => input.current?.click()}>
          {t(user.image ? 'changePicture' : 'addPicture')}
        </Button>
        {user.image ? (
          <Button variant="ghost" disabled={isPending} onClick={() => save(null)}>
            {t('removePicture')}
          </Button>
        ) : null}
      </div>
      {opened ? (
        <Suspense>
          <CropDialog
            picture={opened}
            onClose={close}
            onChoose={(square) => {
              close()
              save(square)
            }}
          />
        </Suspense>
      ) : null}
      {error ? (
        <div className="basis-full">
          <ErrorNote error={error} />
        </div>
      ) : null}
    </>
  )
}
