# A page of HCL.
terraform {
  required_version = ">= 1.0"

  backend "local" {
    path = "state"
  }
}

// Where it lies.
variable "room" {
  type    = string
  default = "low"
}

/*
 * All of them.
 */
locals {
  names = ["one", "two"]
  tags = {
    Name = "shelf"
    Deep = {
      more = true
    }
  }
}

provider "cloud" {
  region = var.room
}

# The shelf itself.
resource "cloud_shelf" "main" {
  count = length(local.names)
  name  = local.names[count.index]

  tags = merge(local.tags, {
    Room = var.room
  })

  dynamic "board" {
    for_each = local.names
    content {
      title = board.value
    }
  }

  lifecycle {
    ignore_changes = [
      tags,
    ]
  }

  script = <<-EOT
    # no comment
    echo "${var.room}"
  EOT
}

data "cloud_image" "newest" {
  most_recent = true
}

module "reader" {
  source = "./reader"
  rooms  = [for room in local.names : upper(room)]
}

output "place" { value = cloud_shelf.main[0].id }

moved {
  from = a.b
  to   = c.d
}

job batch {
  group "readers" {
    task "read" {
      driver = "exec"
    }
  }
}

plain = "value"
