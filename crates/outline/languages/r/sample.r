# A page of R.
library(methods)

most <- 12
words <- c(
  "one",
  "two"
)

#' Adds two numbers.
#'
#' @param a A number.
add <- function(a, b = 1) {
  a + b
}

# A short one.
twice <- function(x) x * 2

old = function(x) {
  x
}

lambda <- \(x) x + 1

take <- function(
  shelf,
  name
) {
  inner <- function(y) {
    y + 1
  }
  if (name == "") {
    stop("no name")
  } else if (is.null(name)) {
    NULL
  } else {
    inner(1)
  }
  for (one in shelf) {
    while (TRUE) {
      break
    }
  }
  repeat {
    break
  }
  result <- tryCatch({
    shelf[[name]]
  }, error = function(e) {
    NULL
  })
  result
}

print.shelf <- function(x, ...) {
  cat("shelf\n")
}

`names<-.shelf` <- function(x, value) {
  x
}

"%+%" <- function(a, b) paste0(a, b)

setClass("Shelf", representation(
  boxes = "list"
))

setGeneric("tell", function(thing) {
  standardGeneric("tell")
})

setMethod("tell", "Shelf", function(thing) {
  "told"
})

Box <- R6Class("Box",
  public = list(
    name = NULL,
    initialize = function(name) {
      self$name <- name
    },
    open = function() {
      self$name
    }
  ),
  private = list(
    hidden = function() 1
  )
)

shelf <- list(
  a = 1,
  go = function() {
    2
  }
)

test_that("adding works", {
  expect_equal(add(1, 2), 3)
})

super <<- function() {
  1
}
